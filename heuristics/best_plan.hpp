#pragma once

#include "heuristics/worksharing.hpp"

namespace coterie::heuristics {

/// The schedule with the greatest exact expected work among: refined group schedules with the paper's number of slices
/// and with others near it, no replication (with equal chunks and with the unequal ones that are best for one worker)
/// and cyclic replication, each at its own granularity. Never below greedy, refined, no-replication,
/// cyclic-replication.
Plan best_plan(const WorksharingProblem& problem, const Granularity& granularity);

}  // namespace coterie::heuristics
