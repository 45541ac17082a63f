#include "heuristics/charts/chart_survey.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/contract.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/performance_constant.hpp"
#include "heuristics/charts/refined_chart.hpp"

namespace coterie::heuristics {
namespace {

/// Below this difference of logarithms exact integers decide.
constexpr double kDoubtful = 1e-9;
/// Above this rounding K_min up adds less than 2e-14 of it.
constexpr double kLogOfGreatWholeNumbers = 32;

/// One row's ratios, size by size.
struct Series {
  std::string name;
  std::vector<double> relative;
  std::vector<double> absolute;
  std::size_t successes = 0;
  std::size_t better = 0;

  ChartSurveyRow row() const {
    const double per_cent = 100.0 / static_cast<double>(relative.size());
    return {name, statistics_of(relative), statistics_of(absolute), static_cast<double>(successes) * per_cent,
            static_cast<double>(better) * per_cent};
  }
  void add(double log_cost, double log_best, double log_least) {
    relative.push_back(std::exp(log_cost - log_best));
    absolute.push_back(std::exp(log_cost - log_least));
  }
};

struct Candidate {
  GroupChart chart;
  double log_cost;
};

/// -1, 0 or 1 as K of a is less than, equal to or greater than that of b.
int compare(const Candidate& a, const Candidate& b) {
  if (std::abs(a.log_cost - b.log_cost) > kDoubtful) return a.log_cost < b.log_cost ? -1 : 1;
  const Integer difference = performance_constant(a.chart) - performance_constant(b.chart);
  return difference.sign();
}

double log_rounded_least_constant(const ChartSize& size) {
  const double log_least = log_least_performance_constant(size.executions, size.groups);
  if (log_least > kLogOfGreatWholeNumbers) return log_least;
  return log_of(least_performance_constant(size.executions, size.groups));
}

}  // namespace

std::vector<ChartSize> table4_sizes() {
  std::vector<ChartSize> sizes;
  for (std::size_t g = 2; g <= 100; ++g)
    for (std::size_t m = 2; g * m <= 1000; ++m) sizes.push_back({g, m});
  return sizes;
}

Statistics statistics_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {*least, *greatest, mean, std::sqrt(squares / count)};
}

std::vector<ChartSurveyRow> survey_charts(const std::vector<ChartSize>& sizes, SurveyDepth depth) {
  COTERIE_REQUIRE(!sizes.empty());
  std::vector<Series> six;
  for (const auto& chart : paper_charts()) six.push_back({chart.name, {}, {}, 0, 0});
  Series best_of{"best", {}, {}, 0, 0};
  Series refined{"refined", {}, {}, 0, 0};
  Series bound{"lower bound", {}, {}, 0, 0};
  for (const auto& size : sizes) {
    const auto [g, m] = size;
    const auto risk = linear_risk_at_steps(g * m);
    std::vector<Candidate> candidates;
    const Candidate* best = nullptr;
    for (const auto& row : paper_charts()) {
      GroupChart chart = row.build(g, m, risk);
      const double cost = log_chart_cost(chart, risk);
      candidates.push_back({std::move(chart), cost});
    }
    for (const auto& candidate : candidates)
      if (best == nullptr || compare(candidate, *best) < 0) best = &candidate;
    const double log_least = log_rounded_least_constant(size);
    for (std::size_t c = 0; c < six.size(); ++c) {
      six[c].add(candidates[c].log_cost, best->log_cost, log_least);
      if (&candidates[c] == best || compare(candidates[c], *best) == 0) ++six[c].successes;
    }
    best_of.add(best->log_cost, best->log_cost, log_least);
    ++best_of.successes;
    if (depth == SurveyDepth::kPaper) continue;
    Candidate improved{refined_chart(g, m, risk), 0};
    improved.log_cost = log_chart_cost(improved.chart, risk);
    refined.add(improved.log_cost, best->log_cost, log_least);
    const int against_best = compare(improved, *best);
    if (against_best <= 0) ++refined.successes;
    if (against_best < 0) ++refined.better;
    // Where refined reaches it, it may be a last digit above.
    bound.add(std::min(log_chart_cost_bound(g, m, risk), improved.log_cost), best->log_cost, log_least);
  }
  std::vector<ChartSurveyRow> rows;
  for (const auto& series : six) rows.push_back(series.row());
  rows.push_back(best_of.row());
  if (depth == SurveyDepth::kRefined) {
    rows.push_back(refined.row());
    rows.push_back(bound.row());
    rows.back().success_rate = rows.back().better_rate = std::numeric_limits<double>::quiet_NaN();
  }
  return rows;
}

const std::vector<PrintedSurveyRow>& printed_table4() {
  static const std::vector<PrintedSurveyRow> table = {
      {"group-cyclic", {1.1, 3.786, 2.143, 0.664}, {1.1, 3.786, 2.239, 0.592}, 0.00},
      {"reverse", {1, 1.295, 1.055, 0.065}, {1, 1.295, 1.117, 0.061}, 12.42},
      {"mirror", {1, 2.468, 1.504, 0.393}, {1, 2.468, 1.575, 0.338}, 12.37},
      {"snake", {1, 1.199, 1.127, 0.059}, {1, 1.291, 1.193, 0.059}, 12.34},
      {"fat-snake", {1, 1.442, 1.123, 0.115}, {1, 1.530, 1.192, 0.143}, 17.07},
      {"greedy", {1, 1.055, 1.005, 0.015}, {1, 1.224, 1.067, 0.074}, 83.01},
      {"best", {1, 1, 1, 0}, {1, 1.224, 1.061, 0.069}, 100.00},
  };
  return table;
}

}  // namespace coterie::heuristics
