#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "heuristics/worksharing.hpp"

namespace coterie::heuristics {

/// A slice for g workers in groups of g equal chunks, the chunks of different groups of different sizes, and the group
/// that all g workers run at each of their steps.
struct UnequalSlice {
  std::vector<double> sizes;         ///< of a chunk, by group
  std::vector<std::uint32_t> order;  ///< groups by step: each group g times
  double expected = 0;               ///< exact expected work
};

/// The greedy order for chunks of these sizes: every group once, the riskiest first (at first as they stand), and so
/// on, g times. [worksharing-2013, Section 5.2.4, for steps of unequal length]
UnequalSlice greedy_unequal_slice(std::size_t workers, std::vector<double> sizes, double startup_cost,
                                  const Risk& risk);

/// Group schedule whose chunk sizes follow the risk: each slice is cut into the chunks that are best for one worker
/// with an equal share of it, each repeated g times; as they are, or stretched to deploy the whole slice. `groups[g]`:
/// about how many groups a slice of g workers should have; where the user set the granularity, at most so many. Large
/// traces are thinned out for the search, never for the expected work. Beyond worksharing-2013. Throws InputError where
/// optimal_chunks does.
Plan unequal_group_plan(const WorksharingProblem& problem, const Granularity& granularity,
                        const std::map<std::size_t, std::size_t>& groups);

}  // namespace coterie::heuristics
