#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// A slice for g workers in groups of g equal chunks, with a size of chunks for each group, and the group that all g
/// workers run at each of their steps.
struct UnequalSlice {
  std::vector<double> sizes;         ///< of a chunk, by group
  std::vector<std::uint32_t> order;  ///< groups by step: each group g times
  double expected = 0;               ///< exact expected work
};

/// The greedy order for chunks of these sizes: every group once, the riskiest first (initially in the given order), and
/// so on, g times. [worksharing-2013, Section 5.2.4, for steps of unequal length]
UnequalSlice greedy_unequal_slice(std::size_t workers, std::vector<double> sizes, double startup_cost,
                                  const Risk& risk);

/// A slicing of the workload whose slices are cut into groups of unequal chunks: not yet a plan.
struct UnequalSlicing {
  std::size_t coteries = 0;                    ///< how many; 0: as the problem says
  std::map<std::size_t, UnequalSlice> slices;  ///< by the number of workers: coteries of one size are alike
  double expected = 0;                         ///< of all slices, exact but for rounding
};

/// Group schedules whose chunk sizes follow the risk: each slice is cut into the chunks that are best for one worker
/// with an equal share of it, each repeated g times; as they are, or stretched to deploy the whole slice. One slicing
/// for each entry of `groups`: by the number of coteries (0: as the problem says), about how many groups a slice of g
/// workers should have; if the user set the granularity, at most that many. Workers have the same share in all
/// slicings, so that one search serves all. Large traces are thinned out for the search, which ends when a dozen more
/// chunks in a row gained nothing; expected work is always exact.
/// Beyond worksharing-2013. Throws InputError if optimal_chunks does.
std::vector<UnequalSlicing> unequal_slicings(const WorksharingProblem& problem, const Granularity& granularity,
                                             const std::map<std::size_t, std::map<std::size_t, std::size_t>>& groups);

/// Lone workers, each with the chunks that are best for one, as many as help; about `chunks`. Traces and errors as
/// above; `memory` may be null. [worksharing-2013, Section 5.1 A]
UnequalSlicing lone_worker_slicing(const WorksharingProblem& problem, SliceCache* memory, std::size_t chunks);

/// The schedule of a slicing.
Plan unequal_group_plan(const WorksharingProblem& problem, const UnequalSlicing& slicing);

}  // namespace coterie::heuristics
