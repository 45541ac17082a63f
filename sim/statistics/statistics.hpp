#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "sim/totals/value_moments.hpp"

namespace coterie::sim {

/// What a result keeps of the ratios of one strategy in one configuration. A pure function of the row, summed in the
/// order of the instances.
struct Summary {
  double mean = 0;
  double count = 0;           ///< number of values
  double stddev = 0;          ///< sample standard deviation (n - 1); NaN for a single value
  double standard_error = 0;  ///< guarded_error() of the values
  double min = 0;
  double max = 0;
  std::array<double, 5> quantiles{};  ///< 5, 25, 50, 75, 95 %, type 7

  /// Half-width of the 95 % interval of the mean, by Student's t; NaN for a single value.
  double half_width() const;
};

/// A mean and its uncertainty.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double freedom = 0;  ///< degrees of freedom of the standard error; infinite for an exact mean
  double bound = 0;    ///< on an error that is not random: it does not average out over configurations

  /// Half-width of the 95 % interval: by Student's t, and the bound; NaN if single instances give no variance.
  double half_width() const;
};

/// What is assumed about unseen values. Ratios above 1, which some models have, are not allowed for.
enum class ValueRange {
  kAny,        ///< nothing
  kRatio,      ///< they lie between 0 and 1
  kDifference  ///< they lie between -1 and 1
};

/// NaN entries are instances that were not run and do not count; all results are NaN if none was run.
Summary summarise(std::span<const double> row, ValueRange range = ValueRange::kAny);

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

/// The number of unseen values that is allowed for: half the square of 1.96, as Agresti and Coull [1998, American
/// Statistician 52, 119-126] add two successes and two failures.
inline constexpr double kUnseen = 2;

/// Standard error e of the mean of n independent values, for an interval by Student's t of n - 1 degrees of freedom:
///   e^2 = (t(k) / t(n - 1))^2 (variance + kUnseen farthest^2 / n) / n + kUnseen (end / (1 + k) / n)^2,
/// without the first term if k = 0; NaN for a single value. t: student_quantile;
/// farthest: the greatest deviation from the mean, as if two more values were that far off; end: the distance from the
/// mean to the farther end of the range. k = n / skewness^2, at most n - 1, 0 if all values are alike: about the number
/// of values that determine the skewness, because n values of which few, k, are 0 and the others 1 have n / skewness^2
/// of about k. If these are few and dissimilar, the variance has only k degrees of freedom, and farther values may well
/// be unseen. For normal values all this adds 4 % to the width for 250 of them and 1 % for 1000.
double guarded_error(const ValueMoments& values, ValueRange range = ValueRange::kRatio);
/// The k above; `scale` as in are_alike.
double values_of_skewness(const ValueMoments& values, double scale = 1);

/// Whether all values are alike, up to rounding: of the greatest, or of `scale`, where values are as exact as that.
bool are_alike(double least, double greatest, double scale = 1);

/// The probabilities of the quantiles in a summary.
inline constexpr std::array<double, 5> kProbabilities = {0.05, 0.25, 0.5, 0.75, 0.95};
/// Only the mean and its error, the greatest and the least value; all NaN if there are no values.
Summary summary_of(const ValueMoments& moments, ValueRange range);

/// Puts at these ascending positions the values that a sort would put there.
void sort_at(std::span<double> values, std::span<const std::size_t> positions);

/// Type-7 quantile of sorted values: linear between order statistics. [Hyndman and Fan 1996]
double quantile_of_sorted(std::span<const double> sorted, double probability);

/// Between two order statistics.
double between(double below, double above, double part);

/// The 97.5 % quantile of Student's t with the given degrees of freedom, not necessarily whole.
double student_quantile(double freedom);

}  // namespace coterie::sim
