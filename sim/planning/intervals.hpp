#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/planning/planner.hpp"

namespace coterie::sim {

/// Equal chunks for one machine by a rule in common use, and their expected work.
struct Interval {
  std::string rule;  ///< "young", "daly"
  double length = 0;
  std::optional<double> expected_work;  ///< exact; nothing if there are too many chunks
};

struct Intervals {
  double mean = 0;  ///< time of interruption
  std::vector<Interval> rules;
};

/// What Young's and Daly's rules give for one machine that never comes back; nothing for several machines, with
/// background jobs, without a cost of checkpoints, or if the mean time of interruption is not known.
std::optional<Intervals> other_intervals(const PlanQuestion& question);

}  // namespace coterie::sim
