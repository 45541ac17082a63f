#pragma once

#include <map>

#include "heuristics/chunks/slice_objective.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/worksharing/partition.hpp"

namespace coterie::heuristics {

/// A group schedule: the workload in slices for disjoint coteries, each worker of a coterie running every chunk of its
/// slice in the order that `chart` sets. In its i-th execution of group j worker r takes chunk j g + (r + i) mod g;
/// if n is not a multiple of g, the last group is filled up with phantom chunks, which are skipped without idling.
/// If there is as much work as p workers can do (W >= p maxsl), auto gives each worker the unequal chunks that are best
/// for one worker, unless equal ones are as good or the search is too large: a plan without coteries, unless the
/// problem forces their number. [worksharing-2013, Sections 5.1, 5.2 and 7.1]
Plan group_plan(const WorksharingProblem& problem, const Granularity& granularity, ChartBuilder chart);

/// The best number of coteries with greedy charts, out of 1, 2, 4, ... p, if Section 5.1 gives one coterie because no
/// slice is too long (maxsl infinite) and `auto` might need more chunks for it than fit into memory (5 10^7 tasks). In
/// all other cases 1.
std::size_t coteries_that_fit(const WorksharingProblem& problem, const Granularity& granularity);

/// group_plan with the greedy chart. [worksharing-2013, Sections 5.2.4 and 7.1]
Plan greedy_plan(const WorksharingProblem& problem, const Granularity& granularity);

/// A slice of one size, cut into chunks and put in order.
struct SlicePlan {
  Chunking chunking;
  GroupChart chart;
};

/// A group schedule that is not written out: coteries with the same number of workers are alike.
using SlicePlans = std::map<std::size_t, SlicePlan>;

/// What group_plan does with slices of this size. Adds to `considered` how many numbers of chunks were tried.
SlicePlan group_slice(const WorksharingProblem& problem, const Granularity& granularity, const SliceShare& slice,
                      ChartBuilder chart, std::size_t& considered);

/// The schedule written out. `plans`: one for each size of coterie in the problem's partition.
Plan to_plan(const WorksharingProblem& problem, const SlicePlans& plans);

/// The slices and chunks of a group schedule.
SlicePlans slices_of(const Plan& plan);

/// The greedy chart for a slice that g workers run in this many equal chunks.
SlicePlan greedy_slice(const WorksharingProblem& problem, const SliceShare& slice, std::size_t chunks);

/// The real chunks of each group / g: less than 1 if the last group is not complete.
std::vector<double> group_weights(const SlicePlan& plan);

/// The same slices and chunks, run in the order of other charts, whose builders get the group weights. `memory` may be
/// null.
SlicePlans rechart(const WorksharingProblem& problem, const SlicePlans& plans, WeightedChartBuilder chart,
                   SliceCache* memory);

}  // namespace coterie::heuristics
