#pragma once

#include "core/zones.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// What no policy can exceed in expected work that hands out chunks of problem.work by what it has heard of the workers
/// problem.risks(), whenever it hears it and of whatever sizes: each worker counts as if it were alone. In units of
/// work, at most problem.work. For any risk, also in zones whose workers are alike. `lambda` and `coteries` do not
/// matter. NaN, not known, for workers of more than 1000 different risks (objects), and for zones that bind workers of
/// different risks: an interruption by such a zone tells when it comes to the others. Throws InputError for a problem
/// outside its domain. Not in worksharing-2013.
///
/// Whatever became of the others until a time, the rest of the life of a worker that is alive then has the law that it
/// has without news: lives are independent, or its own part and that of its zone were both still to come. So what is
/// heard tells nothing of what a chunk is expected to complete; a worker is run by a list of chunks of at most W, with
/// waiting where it waits, drops a chunk or loses a copy's race, that completes at most what the best one is expected
/// to. Work that several complete counts for one.
double listening_ceiling(const WorksharingProblem& problem, SliceCache* memory = nullptr, const Zones& zones = {});

}  // namespace coterie::heuristics
