#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// No replication; each worker's W/p in the chunks that are optimal for one worker under the risk: of unequal sizes,
/// and without work that is not worth a start-up cost. A number of chunks per unit of work is taken as "at most".
/// [worksharing-2013, Section 3, Theorems 2 and 4; beyond linear risk: one_worker.hpp]
/// Throws InputError without a start-up cost and a number of chunks, or if the search would be too large or the
/// tasks too many.
Plan single_optimal_plan(const WorksharingProblem& problem, const Granularity& granularity);
/// The same, except that the search in a trace ends when four more chunks in a row gained nothing, which is many times
/// sooner if start-up costs are small. No trace is known for which that loses anything.
Plan single_near_optimal_plan(const WorksharingProblem& problem, const Granularity& granularity);
/// Throws InputError if that strategy cannot handle the problem, as far as that is known without planning.
void require_single_optimal(const WorksharingProblem& problem, const Granularity& granularity);

/// Two workers that share part of the work in opposite orders: best_two_workers. Needs two workers, and without a
/// start-up cost a whole number of chunks (InputError).
/// [worksharing-2013, Section 4]
Plan two_workers_plan(const WorksharingProblem& problem, const Granularity& granularity);
void require_two_workers(const WorksharingProblem& problem, const Granularity& granularity);

}  // namespace coterie::heuristics
