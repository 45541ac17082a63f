#pragma once

#include "heuristics/plan_book.hpp"

namespace coterie::heuristics {

/// Group schedule with charts near the optimum: the slices and chunk counts of greedy, each chart improved by exchanges
/// (refined_chart). Never below greedy in expected work. Beyond worksharing-2013, Section 5.2.4.
Plan refined_plan(PlanBook& book);

/// The same with charts proven optimal for their chunks. Throws InputError where a chart is too large for the proof.
Plan optimal_plan(PlanBook& book);

}  // namespace coterie::heuristics
