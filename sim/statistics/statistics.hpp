#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/totals/quantile_of.hpp"
#include "sim/totals/value_moments.hpp"

namespace coterie::sim {

/// A mean and its uncertainty.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double freedom = 0;  ///< degrees of freedom of the standard error; infinite for an exact mean
  double bound = 0;    ///< on the error of an exact mean

  /// Half-width of the 95 % interval, t(freedom) x standard_error + bound; NaN if single instances give no variance.
  double half_width() const;
  bool is_exact() const;
};

/// What a result keeps of the ratios of one strategy in one configuration. A pure function of the row, summed in the
/// order of the instances.
struct Summary {
  double mean = 0;
  double count = 0;           ///< number of values
  double stddev = 0;          ///< sample standard deviation (n - 1); NaN for a single value
  double standard_error = 0;  ///< standard_error() of the values
  double min = 0;
  double max = 0;
  std::array<double, 5> quantiles{};  ///< 5, 25, 50, 75, 95 %, type 7

  MeanEstimate estimate() const { return {mean, standard_error, count - 1}; }
  double half_width() const { return estimate().half_width(); }
};

/// NaN entries are instances that were not run and do not count; all results are NaN if none was run.
Summary summarise(std::span<const double> row);

/// Moments of a row that is read twice, each time in order; NaN values do not count.
class RowMoments {
 public:
  void sum(double value);  ///< in the first pass
  void end_of_sum();
  void deviate(double value);  ///< in the second pass
  double mean() const { return moments_.mean; }
  std::uint64_t count() const { return count_; }
  const ValueMoments& moments() const { return moments_; }

 private:
  double sum_ = 0;
  std::uint64_t count_ = 0;
  ValueMoments moments_;
};

/// What rounding may make of ratios that are equal.
inline constexpr double kRounding = 1e-12;

/// Of the mean of n independent values, for an interval by Student's t of n - 1 degrees of freedom: s / sqrt(n), or 0
/// if all are equal up to rounding. NaN for a single value.
double standard_error(const ValueMoments& values);

/// The probabilities of the quantiles in a summary.
inline constexpr std::array<double, 5> kProbabilities = {0.05, 0.25, 0.5, 0.75, 0.95};
/// Only the mean and its error, the greatest and the least value; all NaN if there are no values.
Summary summary_of(const ValueMoments& moments);

/// Puts at these ascending positions the values that a sort would put there.
void sort_at(std::span<double> values, std::span<const std::size_t> positions);

/// quantile_of() of sorted values.
double quantile_of_sorted(std::span<const double> sorted, double probability);

/// The positions in sorted rows that the quantiles of a summary depend on, ascending.
std::vector<std::uint64_t> quantile_positions(std::uint64_t count);

/// The 97.5 % quantile of Student's t with the given degrees of freedom, not necessarily whole.
double student_quantile(double freedom);

}  // namespace coterie::sim
