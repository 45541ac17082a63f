#include "sim/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
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

namespace {

constexpr std::array<double, 5> kProbabilities = {0.05, 0.25, 0.5, 0.75, 0.95};

/// Puts in place what a sort would at the ends and where the quantiles are: several times cheaper.
void sort_for_quantiles(std::vector<double>& values) {
  auto sorted = values.begin();  // all before are in place
  const auto put_in_place = [&](std::size_t index) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(index, values.size() - 1));
    if (at < sorted) return;
    std::nth_element(sorted, at, values.end());
    sorted = std::next(at);
  };
  put_in_place(0);
  for (const double probability : kProbabilities) {
    const auto below = static_cast<std::size_t>(probability * static_cast<double>(values.size() - 1));
    put_in_place(below);
    put_in_place(below + 1);
  }
  put_in_place(values.size() - 1);
}

}  // namespace

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
  sort_for_quantiles(sorted);
  summary.min = sorted.front();
  summary.max = sorted.back();
  for (std::size_t i = 0; i < kProbabilities.size(); ++i)
    summary.quantiles[i] = quantile_of_sorted(sorted, kProbabilities[i]);
  return summary;
}

double student_quantile(double freedom) {
  const boost::math::students_t law(std::min(freedom, 1e9));
  return boost::math::quantile(law, 0.975);
}

}  // namespace coterie::sim
