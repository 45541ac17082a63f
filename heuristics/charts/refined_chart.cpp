#include "heuristics/charts/refined_chart.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cancellation.hpp"
#include "heuristics/charts/chart_catalogue.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/column_descent.hpp"

namespace coterie::heuristics {
namespace {

/// A chart within this distance of the lower bound cannot be distinguished from the optimum.
constexpr double kProven = 1e-12;

GroupChart with_columns(const GroupChart& chart, const std::vector<std::size_t>& order) {
  GroupChart result = chart;
  for (std::size_t i = 0; i < chart.executions; ++i)
    for (std::size_t j = 0; j < chart.groups; ++j) result.steps[i * chart.groups + j] = chart.at(i, order[j]);
  return result;
}

std::vector<double> log_products(const GroupChart& chart, std::span<const double> risk_at_step) {
  std::vector<double> logs(chart.groups, 0.0);
  for (std::size_t i = 0; i < chart.executions; ++i)
    for (std::size_t j = 0; j < chart.groups; ++j) logs[j] += std::log(risk_at_step[chart.at(i, j) - 1]);
  return logs;
}

/// The descent for positive risks.
GroupChart descend(const GroupChart& start, std::span<const double> risk, std::span<const double> weights) {
  if (log_chart_cost(start, risk, weights) <=
      log_chart_cost_bound(start.executions, start.groups, risk, weights) + kProven)
    return start;
  std::vector<double> log_risk(risk.size());
  std::transform(risk.begin(), risk.end(), log_risk.begin(), [](double v) { return std::log(v); });
  std::vector<double> log_weights(start.groups, 0.0);
  std::transform(weights.begin(), weights.end(), log_weights.begin(), [](double w) { return std::log(w); });
  ColumnDescent descent(start, log_risk, log_weights);
  descent.descend();
  descent.descend_by_pairs();
  return descent.chart();
}

/// The best of the six, each with its columns matched to the weights.
GroupChart best_start(std::size_t executions, std::size_t groups, std::span<const double> risk,
                      std::span<const double> weights) {
  if (weights.empty()) return tidy_chart(best_chart(executions, groups, risk), risk);
  GroupChart best;
  for (const auto& row : paper_charts()) {
    GroupChart chart = tidy_chart(row.build(executions, groups, risk), risk, weights);
    if (best.steps.empty() || log_chart_cost(chart, risk, weights) < log_chart_cost(best, risk, weights))
      best = std::move(chart);
  }
  return best;
}

/// The columns that cost, refined, beside the free columns: each of those holds one step without risk and absorbs the
/// greatest risks (ZeroRiskSplit). The free columns take the greatest weights.
GroupChart refine_beside_free_columns(std::size_t executions, std::size_t groups, std::span<const double> risk,
                                      std::span<const double> weights, const ZeroRiskSplit& split) {
  GroupChart chart{executions, groups, std::vector<std::uint32_t>(executions * groups)};
  const std::size_t free = split.free_columns;
  const std::size_t costly = split.costly_columns;
  if (costly > 0) {
    std::vector<double> light(weights.begin(), weights.end());
    std::sort(light.rbegin(), light.rend());
    if (!light.empty()) light.erase(light.begin(), light.begin() + static_cast<std::ptrdiff_t>(free));
    const GroupChart rest = refined_chart(executions, costly, risk.subspan(free, executions * costly), light);
    for (std::size_t i = 0; i < executions; ++i)
      for (std::size_t j = 0; j < costly; ++j)
        chart.steps[i * groups + free + j] = rest.at(i, j) + static_cast<std::uint32_t>(free);
  }
  auto absorbed = static_cast<std::uint32_t>(free + executions * costly);
  for (std::size_t j = 0; j < free; ++j) {
    chart.steps[j] = static_cast<std::uint32_t>(j + 1);
    for (std::size_t i = 1; i < executions; ++i) chart.steps[i * groups + j] = ++absorbed;
  }
  return chart;
}

}  // namespace

GroupChart tidy_chart(const GroupChart& chart, std::span<const double> risk_at_step,
                      std::span<const double> group_weights) {
  GroupChart ascending = chart;
  std::vector<std::uint32_t> column(chart.executions);
  for (std::size_t j = 0; j < chart.groups; ++j) {
    cancellation_point();
    for (std::size_t i = 0; i < chart.executions; ++i) column[i] = chart.at(i, j);
    std::sort(column.begin(), column.end());
    for (std::size_t i = 0; i < chart.executions; ++i) ascending.steps[i * chart.groups + j] = column[i];
  }
  std::vector<std::size_t> order(chart.groups);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto first_entry_less = [&](std::size_t a, std::size_t b) { return ascending.at(0, a) < ascending.at(0, b); };
  std::sort(order.begin(), order.end(), first_entry_less);
  if (group_weights.empty()) return with_columns(ascending, order);

  const std::vector<double> logs = log_products(ascending, risk_at_step);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return logs[a] < logs[b]; });
  std::vector<std::size_t> by_weight(chart.groups);  // the columns' places, the greatest weight first
  std::iota(by_weight.begin(), by_weight.end(), std::size_t{0});
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [&](std::size_t a, std::size_t b) { return group_weights[a] > group_weights[b]; });
  std::vector<std::size_t> placed(chart.groups);
  for (std::size_t first = 0, last = 0; first < chart.groups; first = last) {
    while (last < chart.groups && group_weights[by_weight[last]] == group_weights[by_weight[first]]) ++last;
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.begin() + static_cast<std::ptrdiff_t>(last),
              first_entry_less);
    for (std::size_t k = first; k < last; ++k) placed[by_weight[k]] = order[k];
  }
  return with_columns(ascending, placed);
}

GroupChart refined_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step) {
  return refined_chart(executions, groups, risk_at_step, {});
}

GroupChart refined_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                         std::span<const double> group_weights) {
  const auto risk = risk_at_step.first(executions * groups);
  if (executions == 1 || groups == 1) return tidy_chart(cyclic_chart(executions, groups), risk, group_weights);
  const GroupChart best = best_start(executions, groups, risk, group_weights);
  const ZeroRiskSplit split = split_off_zero_risk(executions, groups, risk);
  GroupChart refined = split.free_columns > 0
                           ? refine_beside_free_columns(executions, groups, risk, group_weights, split)
                           : descend(best, risk, group_weights);
  refined = tidy_chart(refined, risk, group_weights);
  return log_chart_cost(refined, risk, group_weights) < log_chart_cost(best, risk, group_weights) ? refined : best;
}

}  // namespace coterie::heuristics
