#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Cyclic replication: position k of the deal goes to worker k mod p and is chunk k mod M, until each worker has been
/// dealt max(ceil(M/p), ceil(maxsl/omega)) chunks; a chunk that a worker already has is not executed again. If p
/// divides M, there is no replication. [worksharing-2013, Section 6.1]
Plan cyclic_replication_plan(const WorksharingProblem& problem, const Granularity& granularity);

/// Exact expected work of cyclic replication with `chunks` equal chunks; O(laps^2 M / p) instead of O(laps M).
double expected_by_cyclic_replication(const WorksharingProblem& problem, std::size_t chunks);

}  // namespace coterie::heuristics
