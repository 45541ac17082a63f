#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/planning/planner.hpp"

namespace coterie::sim {

/// Equal chunks of one machine by a rule that others use, and what they expect.
struct Interval {
  std::string rule;  ///< "young", "daly"
  double length = 0;
  std::optional<double> expected_work;  ///< exact; nothing where chunks are too many
};

struct Intervals {
  double mean = 0;  ///< time of interruption
  std::vector<Interval> rules;
};

/// What Young's and Daly's rules come to for one machine that never comes back; nothing for several machines, beside
/// background jobs, without a cost of checkpoints, and where the mean time of interruption is not known.
std::optional<Intervals> other_intervals(const PlanQuestion& question);

}  // namespace coterie::sim
