#pragma once

#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// Group schedule with charts near the optimum, in the slices of greedy: the best of the six charts, each with the
/// chunks that are its own, and of what exchanges make of them (refined_chart). In expected work of the schedule that
/// is run never below the six group schedules, but for rounding, nor below greedy. Where all workers are alike, each
/// size of slice has the best chart for it; where they differ, one chart goes for all. Beyond worksharing-2013,
/// Section 5.2.4.
Plan refined_plan(PlanCache& cache);

/// The slices and chunks of greedy with charts proven optimal for them. Throws InputError where a chart is too large
/// for the proof.
Plan optimal_plan(PlanCache& cache);

}  // namespace coterie::heuristics
