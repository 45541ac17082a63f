#pragma once

#include <array>
#include <span>

namespace coterie::sim {

/// What a result keeps of the ratios of one strategy in one configuration. A pure function of the row, summed in the
/// order of the instances.
struct Summary {
  double mean = 0;
  double stddev = 0;          ///< of the sample (n - 1); NaN for a single value
  double standard_error = 0;  ///< stddev / sqrt(n)
  double min = 0;
  double max = 0;
  std::array<double, 5> quantiles{};  ///< 5, 25, 50, 75, 95 %, type 7
};

/// NaN entries are instances that were not run and do not count; all NaN where none was.
Summary summarise(std::span<const double> row);

/// Type-7 quantile of sorted values: linear between order statistics. [Hyndman and Fan 1996]
double quantile_of_sorted(std::span<const double> sorted, double probability);

/// Student's t with that many degrees of freedom, not necessarily whole: its 97.5 % quantile.
double student_quantile(double freedom);

}  // namespace coterie::sim
