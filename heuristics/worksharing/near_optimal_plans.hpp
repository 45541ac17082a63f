#pragma once

#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// Group schedule with charts near the optimum, in the slices of greedy: the best of the six charts, each with its own
/// number of chunks, and of their refinements by exchanges (refined_chart). On independent workers the expected work
/// of the schedule is never below that of the six group schedules, up to rounding, nor below greedy. In zones, which it
/// does not consider, it may be. If all workers are alike, each size of slice has the best chart for it; if they
/// differ, one chart serves all. Beyond worksharing-2013, Section 5.2.4.
Plan refined_plan(PlanCache& cache);

/// The slices and chunks of greedy with charts proven to cost least. Where groups are complete, no other chart expects
/// more. Where they are not, the cost counts phantoms as steps: another chart, even one of the six, may expect more,
/// and greedy's is taken if it does. Throws InputError if a chart is too large for the proof.
Plan optimal_plan(PlanCache& cache);

}  // namespace coterie::heuristics
