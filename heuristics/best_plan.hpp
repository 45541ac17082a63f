#pragma once

#include "heuristics/plan_book.hpp"

namespace coterie::heuristics {

/// The schedule with the greatest exact expected work among: refined group schedules with the paper's number of slices
/// and with others near it, group schedules of unequal chunks (unequal_groups.hpp), no replication (with equal chunks
/// and with the unequal ones that are best for one worker), cyclic replication and brute force, each at its own
/// granularity. Never below greedy, refined, no-replication, cyclic-replication and brute, whose plans it takes from
/// the book; for other numbers of slices the granularity is climbed to from the paper's, without proof that no other is
/// better. Candidates that a bound or their fast expectation rules out are not written out.
Plan best_plan(PlanBook& book);

}  // namespace coterie::heuristics
