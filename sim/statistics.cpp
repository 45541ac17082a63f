#include "sim/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace coterie::sim {

double quantile_of_sorted(std::span<const double> sorted, double probability) {
  const double at = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

Summary summarise(std::span<const double> row) {
  std::vector<double> sorted;
  sorted.reserve(row.size());
  double sum = 0;
  for (const double value : row) {
    if (std::isnan(value)) continue;
    sorted.push_back(value);
    sum += value;
  }
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (sorted.empty()) return {kNaN, kNaN, kNaN, kNaN, kNaN, {kNaN, kNaN, kNaN, kNaN, kNaN}};
  const auto n = static_cast<double>(sorted.size());
  Summary summary;
  summary.mean = sum / n;
  double squares = 0;
  for (const double value : sorted) squares += (value - summary.mean) * (value - summary.mean);
  summary.stddev = sorted.size() > 1 ? std::sqrt(squares / (n - 1)) : kNaN;
  summary.standard_error = summary.stddev / std::sqrt(n);
  std::sort(sorted.begin(), sorted.end());
  summary.min = sorted.front();
  summary.max = sorted.back();
  constexpr std::array<double, 5> kProbabilities = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (std::size_t i = 0; i < kProbabilities.size(); ++i)
    summary.quantiles[i] = quantile_of_sorted(sorted, kProbabilities[i]);
  return summary;
}

}  // namespace coterie::sim
