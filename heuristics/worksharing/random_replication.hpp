#pragma once

#include <cstddef>
#include <span>

#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Random replication: each worker runs ceil(maxsl/omega) distinct chunks (at most all) in random order, drawn anew for
/// each instance. Its expected work, which includes the orders, is exact. [worksharing-2013, Section 6.1]
Plan random_replication_plan(const WorksharingProblem& problem, const Granularity& granularity);

/// Expected work of p workers that each run `tasks` chunks of `chunking`, distinct and in uniformly random order:
/// each chunk is lost with probability (1 - a)^p, a = P(a given worker completes it).
double expected_by_random_replication(const WorksharingProblem& problem, const Chunking& chunking, std::size_t tasks);

/// The same for workers in zones, also exact: given the level of its zone's part, a worker completes each chunk with a
/// probability that depends only on that level, and independently of the others. So a zone loses a chunk with the mean,
/// over that level, of the product of (1 - a) over its workers. `risks`: one per worker, or one for all.
double expected_by_random_replication(const RandomOrders& orders, std::span<const RiskPtr> risks, std::size_t workers,
                                      const Zones& zones);

}  // namespace coterie::heuristics
