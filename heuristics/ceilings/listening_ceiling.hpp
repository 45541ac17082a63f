#pragma once

#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// What no policy can exceed in expected work that hands out chunks of problem.work by what it has heard of the workers
/// problem.risks(), whenever it hears it and of whatever sizes: each worker counts as if it were alone. In units of
/// work, at most problem.work. For any risk; the lives of workers must be independent. `lambda` and `coteries` do not
/// matter. NaN, not known, for workers of more than 1000 different risks (objects). Throws InputError for a problem
/// outside its domain. Not in worksharing-2013.
///
/// Given the lives of the others, what a worker is given and when is decided but for its own life, so that it is a list
/// of chunks of at most W, with waiting where it waits, drops a chunk or loses a copy's race. What such a list
/// completes is expected to be at most what the best one does, and work that several complete counts for one.
double listening_ceiling(const WorksharingProblem& problem, SliceCache* memory = nullptr);

}  // namespace coterie::heuristics
