#pragma once

#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {

/// Which capacities can occur, for the certification of counters.
struct CapacityGrid {
  /// Above 0: all capacities are (word + 1/2) 2^-32 / rate, the draws of linear risk. 0: any doubles.
  double linear_rate = 0;
};

/// The number of tasks that end within a capacity, without searching: a guess by one multiplication, which never
/// decreases as the capacity grows. It is checked on both sides of each finish time - the last capacity of the grid
/// before it, and the first one from it on - which proves it for all capacities: it is correct, or one or two tasks too
/// low, which as many look-ups correct. Lists that no guess fits are searched.
class TaskCounter {
 public:
  TaskCounter(FinishTimes finish, const CapacityGrid& grid);
  TaskCounter(const TaskCounter&) = delete;
  TaskCounter& operator=(const TaskCounter&) = delete;

  const TaskCounterView& view() const { return view_; }
  bool is_of(const FinishTimes& finish) const { return of_ == finish; }

 private:
  FinishTimes of_;
  std::vector<double> finish_;  // NaN behind the last: no capacity reaches it
  TaskCounterView view_;
};

/// Without guessing: for one worker.
std::size_t tasks_done(const TaskCounterView& counter, double capacity);

}  // namespace coterie::sim
