#pragma once

#include <array>
#include <span>

namespace coterie::sim {

/// What a result keeps of the ratios of one strategy in one configuration. A pure function of the row, summed in the
/// order of the instances.
struct Summary {
  double mean = 0;
  double count = 0;           ///< of the values
  double stddev = 0;          ///< of the sample (n - 1); NaN for a single value
  double standard_error = 0;  ///< guarded_error() of them
  double min = 0;
  double max = 0;
  std::array<double, 5> quantiles{};  ///< 5, 25, 50, 75, 95 %, type 7

  /// Of the 95 % interval of the mean, by Student's t; NaN for a single value.
  double half_width() const;
};

/// What may be said of values that were not seen.
enum class ValueRange {
  kAny,   ///< nothing
  kRatio  ///< they lie between 0 and 1, their differences between -1 and 1
};

/// NaN entries are instances that were not run and do not count; all NaN where none was.
Summary summarise(std::span<const double> row, ValueRange range = ValueRange::kAny);

/// As many values that were not seen are reckoned with: half the square of 1.96, as Agresti and Coull [1998, American
/// Statistician 52, 119-126] add two successes and two failures.
inline constexpr double kUnseen = 2;

/// Standard error of the mean of n independent values, for an interval by Student's t:
///   sqrt((variance + kUnseen farthest^2 / n) / n),
/// the second term as if two more lay as far from the mean as the farthest that was seen. It makes up for values that
/// are rare and far off, which the variance of few instances knows nothing of; where values are normal it adds 4 % to
/// the width for 250 of them and 1 % for 1000. Where all are alike, ratios may yet lie anywhere in their range.
double guarded_error(double variance, double mean, double least, double greatest, double n,
                     ValueRange range = ValueRange::kRatio);

/// Up to rounding.
bool are_alike(double least, double greatest);

/// Type-7 quantile of sorted values: linear between order statistics. [Hyndman and Fan 1996]
double quantile_of_sorted(std::span<const double> sorted, double probability);

/// Student's t with that many degrees of freedom, not necessarily whole: its 97.5 % quantile.
double student_quantile(double freedom);

}  // namespace coterie::sim
