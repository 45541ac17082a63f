#pragma once

#include <span>

namespace coterie::sim {

/// What a strategy comes to beside the ratio in a configuration, or in the mean of several. Times in the unit of work;
/// all are NaN where it was not measured.
struct Measured {
  double all_done = 0;      ///< share of the instances in which all work was completed
  double half_done_by = 0;  ///< when half of all instances had completed it; infinite: fewer ever do
  double most_done_by = 0;  ///< the same of 95 %
  double machine_time = 0;  ///< mean over the instances
  double wasted = 0;        ///< the same

  /// Of instances; those that were not run are NaN. Makespans may be infinite.
  static Measured of(std::span<const double> makespan, std::span<const double> machine_time,
                     std::span<const double> wasted);
  Measured& operator+=(const Measured& other);
  Measured& operator/=(double count);
};

}  // namespace coterie::sim
