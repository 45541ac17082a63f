#pragma once

#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// Tasks of refined's schedule, over its different lists, above which best_plan looks no further than at refined,
/// no-replication, cyclic-replication and brute: each candidate takes 30 bytes a task, and others are kept meanwhile.
inline constexpr std::size_t kMostTasksToSearch = 20'000'000;

/// The schedule with the greatest exact expected work among: refined group schedules with the paper's number of slices
/// and with others near it, group schedules of unequal chunks (unequal_groups.hpp), no replication (with equal chunks
/// and with the unequal ones that are best for one worker), cyclic replication and brute force, each at its own
/// granularity. Never below refined (hence the six group schedules), no-replication, cyclic-replication and brute,
/// whose plans it takes from the cache, nor below single-optimal and two-workers where these have an answer, but for
/// rounding and for single_near_optimal_plan's earlier end. Not compared with optimal, whose proofs take too long, and
/// with random-replication. For other numbers of slices the granularity is climbed to from the paper's, without proof
/// that no other is better. Candidates that a bound or their fast expectation rules out are not written out. A judge of
/// the cache chooses in the end among the best found and the plans of these four. Where workers differ, expected work
/// is that of the workers that are there, candidates are compared by it, and the best one is fitted to them
/// (worker_exchanges.hpp); its coteries are then no longer told.
/// Above kMostTasksToSearch only refined and the other three of these are compared.
/// In zones that are known to the cache the search runs once more, the candidates being compared by their exact
/// expected work there, each placed as is best for it, the six group schedules among them; also with slices for a
/// worker or two of each zone. The better of both plans is taken, so that it is never below the plan made without
/// zones, placed by any of these placements.
Plan best_plan(PlanCache& cache);

}  // namespace coterie::heuristics
