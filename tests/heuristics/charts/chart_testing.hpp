#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "core/infinity.hpp"
#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// Every step once, columns ascending.
inline bool is_chart_with_ascending_columns(const GroupChart& chart) {
  auto steps = chart.steps;
  std::sort(steps.begin(), steps.end());
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (steps[k] != k + 1) return false;
  for (std::size_t j = 0; j < chart.groups; ++j)
    for (std::size_t i = 1; i < chart.executions; ++i)
      if (chart.at(i - 1, j) >= chart.at(i, j)) return false;
  return steps.size() == chart.executions * chart.groups;
}

/// sum_j w_j prod_i v(C(i, j)), plainly.
inline double plain_cost(const GroupChart& chart, const std::vector<double>& risk, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t j = 0; j < chart.groups; ++j) {
    double product = weights.empty() ? 1.0 : weights[j];
    for (std::size_t i = 0; i < chart.executions; ++i) product *= risk[chart.at(i, j) - 1];
    sum += product;
  }
  return sum;
}

/// The least cost over every way to split the steps into columns, by enumeration: column by column any subset of the
/// steps left. Free of all ideas of the code under test; for up to 12 steps or so.
inline double least_cost_by_enumeration(std::size_t rows, std::size_t columns, const std::vector<double>& risk,
                                        const std::vector<double>& weights) {
  const std::size_t n = rows * columns;
  std::vector<double> least(std::size_t{1} << n, kInfinity);
  least[0] = 0;
  for (std::size_t used = 0; used < least.size(); ++used) {
    if (std::isinf(least[used])) continue;
    const auto filled = static_cast<std::size_t>(__builtin_popcountll(used)) / rows;
    if (filled == columns) continue;
    const std::size_t left = (least.size() - 1) & ~used;
    for (std::size_t subset = left; subset > 0; subset = (subset - 1) & left) {
      if (static_cast<std::size_t>(__builtin_popcountll(subset)) != rows) continue;
      double product = weights.empty() ? 1.0 : weights[filled];
      for (std::size_t s = 0; s < n; ++s)
        if ((subset >> s & 1) != 0) product *= risk[s];
      least[used | subset] = std::min(least[used | subset], least[used] + product);
    }
  }
  return least.back();
}

/// Risks of many kinds, scaled to n steps, and some with certain and impossible parts.
struct TestRisk {
  const char* name;
  double (*at)(double x);  ///< x in (0, 1]
};

inline const std::vector<TestRisk>& test_risks() {
  static const std::vector<TestRisk> risks = {
      {"1-2^-4x", [](double x) { return -std::expm1(-4 * x * std::log(2.0)); }},
      {"1-exp(-3x)", [](double x) { return -std::expm1(-3 * x); }},
      {"1-exp(-sqrt x)", [](double x) { return -std::expm1(-std::sqrt(x)); }},
      {"1-exp(-4x^2)", [](double x) { return -std::expm1(-4 * x * x); }},
      {"79-point step", [](double x) { return std::ceil(79 * std::pow(x, 0.7)) / 79; }},
      {"clipped", [](double x) { return std::min(1.0, 2 * x); }},
      {"safe at first", [](double x) { return std::max(0.0, x - 0.1); }},
      {"safe for half", [](double x) { return std::max(0.0, x - 0.5); }},
      {"safe", [](double) { return 0.0; }},
      {"lost", [](double) { return 1.0; }},
  };
  return risks;
}

inline std::vector<double> risk_at_steps(const TestRisk& risk, std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t s = 0; s < n; ++s) values[s] = risk.at(static_cast<double>(s + 1) / static_cast<double>(n));
  return values;
}

/// All groups complete but the last, which has `real` chunks.
inline std::vector<double> last_group_weight(std::size_t rows, std::size_t columns, std::size_t real) {
  std::vector<double> weights(columns, 1.0);
  weights.back() = static_cast<double>(real) / static_cast<double>(rows);
  return weights;
}

}  // namespace coterie::heuristics
