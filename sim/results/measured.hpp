#pragma once

#include <cstdint>
#include <span>

#include "sim/statistics/order_statistics.hpp"

namespace coterie::sim {

/// Measurements of a strategy besides the ratio, in a configuration or averaged over several. Times are in the unit of
/// work; all are NaN if not measured.
struct Measured {
  double all_done = 0;      ///< share of the instances in which all work was completed
  double half_done_by = 0;  ///< when half of all instances had completed it; infinite if fewer ever do
  double most_done_by = 0;  ///< the same for 95 %
  double machine_time = 0;  ///< mean over the instances
  double wasted = 0;        ///< the same

  Measured& operator+=(const Measured& other);
  Measured& operator/=(double count);
};

/// Takes the measurements of rows that are too long for memory: they are read in pieces, in order, and again as long as
/// wants_pass(). Instances that were not run are NaN. Makespans may be infinite.
class MeasuredRow {
 public:
  explicit MeasuredRow(std::size_t most_held) : order_(most_held) {}

  bool wants_pass() const { return first_ || !order_.known(); }
  /// In the first pass.
  void take(std::span<const double> makespan, std::span<const double> machine_time, std::span<const double> wasted);
  void take_again(std::span<const double> makespan) { order_.take(makespan); }  ///< in the other passes
  void end_pass();
  Measured measured() const;  ///< when no further pass is wanted

 private:
  struct Sum {
    double sum = 0;
    std::uint64_t count = 0;

    void add(std::span<const double> values);
    double mean() const { return sum / static_cast<double>(count); }
  };

  bool first_ = true;
  std::uint64_t count_ = 0, done_ = 0;  // of makespans
  Sum machine_time_, wasted_;
  OrderStatistics order_;
};

}  // namespace coterie::sim
