#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// No replication: chunk k to worker k mod p. With auto each worker's W/p is cut into equal chunks of its own.
/// [worksharing-2013, Section 6.1]
Plan no_replication_plan(const WorksharingProblem& problem, const Granularity& granularity);

}  // namespace coterie::heuristics
