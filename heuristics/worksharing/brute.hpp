#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Brute force: every worker runs all chunks of the whole workload in the order 0, 1, 2, ...
/// [worksharing-2013, Section 6.1]
Plan brute_plan(const WorksharingProblem& problem, const Granularity& granularity);

}  // namespace coterie::heuristics
