#pragma once

#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// If refined's schedule has more tasks than this, over its distinct lists, and the cache has no judge, best_plan
/// considers only refined, no-replication, cyclic-replication and brute: each candidate takes 30 bytes per task, and
/// others are kept meanwhile.
inline constexpr std::size_t kMostTasksToSearch = 20'000'000;

/// The schedule with the greatest exact expected work among: refined group schedules with the paper's number of slices
/// and with others near it, group schedules of unequal chunks (unequal_groups.hpp), no replication (with equal chunks
/// and with the unequal ones that are best for one worker), cyclic replication and brute force, each at its own
/// granularity. Never below refined (hence the six group schedules), no-replication, cyclic-replication and brute,
/// whose plans it takes from the cache, nor below single-optimal and two-workers if these have an answer, up to
/// rounding and the early end of single_near_optimal_plan. It is not compared with optimal, whose proofs take too long,
/// nor with random-replication. For other numbers of slices the search for the granularity starts from the paper's,
/// without proof that no other is better. Candidates that a bound or their fast expectation rules out are not written
/// out. In the end the judge of the cache, if any, chooses among the best found and the plans of these four. If workers
/// differ, expected work is that of the actual workers, candidates are compared by it, and the best one is fitted to
/// them (worker_exchanges.hpp); its coteries are then no longer reported. Above kMostTasksToSearch, without a judge,
/// only refined and the other three of these are compared. In zones known to the cache the search runs once more and
/// compares candidates, including the six group schedules, by their exact expected work there, each in its best
/// placement; it also tries slices for one or two workers of each zone. The better of both plans is taken, so the
/// result is never below the plan made without zones in any of these placements.
Plan best_plan(PlanCache& cache);

}  // namespace coterie::heuristics
