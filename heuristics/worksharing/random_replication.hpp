#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Random replication: each worker runs ceil(maxsl/omega) distinct chunks (at most all) in random order, drawn anew for
/// each instance. Its expected work, over the orders too, is exact. [worksharing-2013, Section 6.1]
Plan random_replication_plan(const WorksharingProblem& problem, const Granularity& granularity);

/// Expected work of p workers that each run `tasks` chunks of `chunking`, distinct and in uniformly random order:
/// each chunk is lost with probability (1 - a)^p, a = P(a given worker completes it).
double expected_by_random_replication(const WorksharingProblem& problem, const Chunking& chunking, std::size_t tasks);

}  // namespace coterie::heuristics
