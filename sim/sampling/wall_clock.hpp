#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/speed_profile.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::sim {

/// Schedules whose start-up costs take wall-clock time, whatever else runs on the worker. Task k ends at
///   t_k = V^{-1}(V(t_{k-1} + eps) + w_k),  V(t) the integral of the worker's speed over [0, t],
/// and is completed iff t_k is not after the interruption. No single capacity expresses this for all schedules. But for
/// one schedule, any value from the end of the last completed task, as the schedule counts it, to the end of the next
/// is a capacity that completes exactly as many tasks. So every kernel runs unchanged, on capacities for its own
/// schedule. Since speeds are at most 1, never fewer tasks are completed than with start-up costs in work units.
class WallClock {
 public:
  explicit WallClock(double startup_cost) : startup_cost_(startup_cost) {}

  /// Adds the plan of the next strategy. Throws InputError for orders drawn anew for each instance if the last chunk is
  /// smaller than the others, because the finish times then depend on the order.
  void add(const heuristics::Plan& plan, std::size_t workers);

  /// The capacity of a worker for strategy `strategy` in the order of add(): its speed, true until `interruption` or
  /// until the work of the longest list is done.
  double capacity(std::size_t strategy, std::size_t worker, const SpeedProfile& speed, double interruption) const;

  /// What an omniscient master can get from the worker in one chunk: max(0, V(interruption) - V(eps)), plus eps, which
  /// is subtracted again as from any capacity.
  double omniscient_capacity(const SpeedProfile& speed, double interruption) const;

 private:
  double startup_cost_;
  std::vector<std::vector<FinishTimes>> lists_;  // by strategy and worker
};

}  // namespace coterie::sim
