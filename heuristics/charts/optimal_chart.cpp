#include "heuristics/charts/optimal_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/group_chart.hpp"
#include "heuristics/charts/refined_chart.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kMostSteps = 64;
/// Costs within this of each other, relative, are one: logarithms and sums err by less.
constexpr double kSame = 1e-11;
/// Below this, sums of whole numbers are known to 1e-4 through their logarithms.
constexpr double kWholeNumbers = 1 << 30;

/// ln of a value that every chart better than one of `log_cost` lies below: whole costs differ by at least one.
double log_of_better(double log_cost, std::span<const double> risk, std::span<const double> weights) {
  const bool whole = weights.empty() && log_cost < std::log(kWholeNumbers) &&
                     std::all_of(risk.begin(), risk.end(), [](double v) { return v == std::floor(v); });
  return whole ? std::log(std::max(std::exp(log_cost) - 0.999, 1e-300)) : log_cost - kSame;
}

/// Depth first over columns: the next column holds the smallest step left, with one of the weights left.
class Search {
 public:
  Search(std::size_t executions, std::span<const double> log_risk, std::vector<double> log_weights, double better,
         std::uint64_t most_columns)
      : rows_(executions),
        log_risk_(log_risk),
        better_(better),
        most_columns_(most_columns),
        left_(log_risk.size()),
        weights_left_(std::move(log_weights)) {
    std::iota(left_.begin(), left_.end(), 0u);
  }

  /// The columns of the optimal chart; empty if none is better than the one the search began with. `rebound` gives
  /// the new log_of_better for the log cost of a chart found.
  std::vector<std::vector<std::uint32_t>> run(const std::function<double(double)>& rebound) {
    rebound_ = &rebound;
    place_columns();
    return best_;
  }

 private:
  struct Column {
    std::vector<std::uint32_t> steps;  ///< from 0
    double log_weight = 0;
    double log_term = 0;
  };

  double sum_of_terms() const {
    double sum = 0;
    for (const auto& column : done_) sum += std::exp(column.log_term);
    return sum;
  }

  /// Least and greatest ln(term) of the next column that the mean of the others still allows. All terms together are
  /// at most one, so that neither of the outermost terms is allowed.
  std::pair<double, double> range_of_term(double done) const {
    const auto others = static_cast<double>(weights_left_.size() - 1);
    double total = std::accumulate(weights_left_.begin(), weights_left_.end(), 0.0);
    for (const std::uint32_t s : left_) total += log_risk_[s];
    const double limit = std::exp(better_) - done;
    if (others == 0) return {total - 1e-9, limit > 0 ? std::log(limit) : total - 1};
    const auto allowed = [&](double t) {
      return std::exp(t) + others * std::exp((total - t) / others) < limit * (1 + 1e-12);
    };
    const double middle = total / (others + 1);
    if (!allowed(middle)) return {1, 0};
    const auto edge = [&](double outside) {
      double inside = middle;
      for (int halving = 0; halving < 40; ++halving) {
        const double between = (inside + outside) / 2;
        (allowed(between) ? inside : outside) = between;
      }
      return outside;
    };
    const double width = 2 + 2 * std::abs(total);
    return {edge(middle - width * (others + 1)), edge(middle + width)};
  }

  void place_columns() {
    if (left_.empty()) {
      const double log_cost = std::log(sum_of_terms());
      if (log_cost >= better_) return;
      better_ = (*rebound_)(log_cost);
      best_.clear();
      for (const auto& column : done_) best_.push_back(column.steps);
      return;
    }
    const double done = sum_of_terms();
    const auto [least, greatest] = range_of_term(done);
    if (least > greatest) return;
    for (std::size_t w = 0; w < weights_left_.size(); ++w) {
      if (w > 0 && weights_left_[w] == weights_left_[w - 1]) continue;
      Column column{{left_.front()}, weights_left_[w], 0};
      weights_left_.erase(weights_left_.begin() + static_cast<std::ptrdiff_t>(w));
      choose(column, left_.size(), column.log_weight + log_risk_[left_.front()], {least, greatest});
      weights_left_.insert(weights_left_.begin() + static_cast<std::ptrdiff_t>(w), column.log_weight);
    }
  }

  [[noreturn]] void give_up() const {
    throw InputError(
        fmt::format("the optimal chart of {} x {} steps cannot be proven within {} columns (use the refined chart, "
                    "which is close to it)",
                    rows_, log_risk_.size() / rows_, most_columns_));
  }

  /// Adds to the column steps from left_[1 .. end - 1], the greatest first.
  void choose(Column& column, std::size_t end, double log_term, std::pair<double, double> range) {
    cancellation_point();
    if (++looks_ / kLooksPerColumn >= most_columns_) give_up();  // where no column is allowed, none is counted
    const std::size_t wanted = rows_ - column.steps.size();
    if (wanted == 0) {
      if (log_term < range.first || log_term > range.second) return;
      column.log_term = log_term;
      close(column);
      return;
    }
    if (end < 1 + wanted) return;
    double smallest = log_term;
    for (std::size_t k = 1; k <= wanted; ++k) smallest += log_risk_[left_[k]];
    if (smallest > range.second) return;
    for (std::size_t at = end - 1; at >= wanted; --at) {
      double greatest = log_term;
      for (std::size_t k = 0; k < wanted; ++k) greatest += log_risk_[left_[at - k]];
      if (greatest < range.first) return;
      column.steps.push_back(left_[at]);
      choose(column, at, log_term + log_risk_[left_[at]], range);
      column.steps.pop_back();
    }
  }

  /// Some exchange of one step for another would lower the cost of the two columns: no optimal chart has both.
  bool exchange_helps(const Column& a, const Column& b) const {
    const double half = std::abs(a.log_term - b.log_term) / 2;
    const double sign = a.log_term > b.log_term ? 1 : -1;
    for (const std::uint32_t x : a.steps)
      for (const std::uint32_t y : b.steps)
        if (std::abs(sign * (log_risk_[x] - log_risk_[y]) - half) < half - kSame) return true;
    return false;
  }

  void close(const Column& column) {
    if (++columns_tried_ > most_columns_) give_up();
    for (const auto& other : done_)
      if (exchange_helps(column, other)) return;
    const std::vector<std::uint32_t> before = left_;
    std::erase_if(left_, [&](std::uint32_t s) {
      return std::find(column.steps.begin(), column.steps.end(), s) != column.steps.end();
    });
    done_.push_back(column);
    if (bound() < better_) place_columns();
    done_.pop_back();
    left_ = before;
  }

  double bound() const {
    if (left_.empty()) return std::log(sum_of_terms());
    std::vector<double> logs(left_.size());
    std::transform(left_.begin(), left_.end(), logs.begin(), [&](std::uint32_t s) { return log_risk_[s]; });
    return std::log(sum_of_terms() + std::exp(log_bound_of_logs(rows_, logs, weights_left_)) * (1 - 1e-12));
  }

  std::size_t rows_;
  std::span<const double> log_risk_;
  double better_;
  std::uint64_t most_columns_;
  std::uint64_t columns_tried_ = 0;
  static constexpr std::uint64_t kLooksPerColumn = 100;
  std::uint64_t looks_ = 0;
  std::vector<std::uint32_t> left_;   ///< steps from 0, ascending
  std::vector<double> weights_left_;  ///< ln, descending
  std::vector<Column> done_;
  std::vector<std::vector<std::uint32_t>> best_;
  const std::function<double(double)>* rebound_ = nullptr;
};

}  // namespace

GroupChart optimal_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step) {
  return optimal_chart(executions, groups, risk_at_step, {});
}

GroupChart optimal_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                         std::span<const double> group_weights, std::uint64_t most_columns) {
  const auto risk = risk_at_step.first(executions * groups);
  const GroupChart refined = refined_chart(executions, groups, risk, group_weights);
  const double cost = log_chart_cost(refined, risk, group_weights);
  const double bound = log_chart_cost_bound(executions, groups, risk, group_weights);
  if (cost == -kInfinity || !(bound < log_of_better(cost, risk, group_weights))) return refined;
  const bool alike =
      std::all_of(group_weights.begin(), group_weights.end(), [&](double w) { return w == group_weights.front(); });
  if (executions == 2 && alike) return tidy_chart(reverse_chart(executions, groups), risk, group_weights);
  if (risk.size() > kMostSteps)
    throw InputError(
        fmt::format("the optimal chart of {} x {} steps cannot be proven: more than {} steps, and no chart meets the "
                    "lower bound (use the refined chart, which is close to it)",
                    executions, groups, kMostSteps));

  const ZeroRiskSplit split = split_off_zero_risk(executions, groups, risk);
  const std::size_t free = split.free_columns;
  const std::size_t costly = split.costly_columns;
  std::vector<double> log_risk(executions * costly);
  // In parts of the refined chart's cost: the terms of a better chart add up to less than one (range_of_term).
  const double scale = cost / static_cast<double>(executions);
  for (std::size_t s = 0; s < log_risk.size(); ++s) log_risk[s] = std::log(risk[free + s]) - scale;
  std::vector<double> log_weights(groups, 0.0);
  std::transform(group_weights.begin(), group_weights.end(), log_weights.begin(), [](double w) { return std::log(w); });
  std::sort(log_weights.begin(), log_weights.end(), std::greater<>());
  log_weights.erase(log_weights.begin(), log_weights.begin() + static_cast<std::ptrdiff_t>(free));

  const double shift = scale * static_cast<double>(executions);
  const auto better = [&](double log_cost) { return log_of_better(log_cost + shift, risk, group_weights) - shift; };
  Search search(executions, log_risk, log_weights, better(cost - shift), most_columns);
  const auto columns = search.run(better);
  if (columns.empty()) return refined;

  // The free columns (ZeroRiskSplit) absorb what the others leave.
  GroupChart chart{executions, groups, std::vector<std::uint32_t>(executions * groups)};
  auto absorbed = static_cast<std::uint32_t>(free + log_risk.size());
  for (std::size_t j = 0; j < groups; ++j)
    for (std::size_t i = 0; i < executions; ++i) {
      std::uint32_t& step = chart.steps[i * groups + j];
      if (j < free) {
        step = i == 0 ? static_cast<std::uint32_t>(j + 1) : ++absorbed;
      } else {
        step = columns[j - free][i] + static_cast<std::uint32_t>(free) + 1;
      }
    }
  return tidy_chart(chart, risk, group_weights);
}

}  // namespace coterie::heuristics
