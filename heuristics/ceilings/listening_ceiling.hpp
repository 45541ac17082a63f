#pragma once

#include "core/zones.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// An upper bound on the expected work of every policy that hands out chunks of problem.work, of any sizes, by what it
/// has heard of the workers problem.risks() so far: each worker counts as if it were alone. In units of work, at most
/// problem.work. For any risk, also in zones whose workers are alike. `lambda` and `coteries` do not matter. NaN (not
/// known) for more than 1000 different risks (objects), and for zones that bind workers of different risks, because an
/// interruption by such a zone then reveals when it reaches the others. Throws InputError for a problem
/// outside its domain. Not in worksharing-2013.
///
/// Whatever happened to the others up to some time, the remaining life of a worker that is then alive has the same law
/// as without news: lives are independent, or its own part and that of its zone were both still to come. So news says
/// nothing about how much a chunk is expected to complete. A worker runs a list of chunks of at most W, with waiting
/// where it waits, drops a chunk or loses a copy's race, and this completes at most what the best list is expected to.
/// Work that several complete counts once.
double listening_ceiling(const WorksharingProblem& problem, SliceCache* memory = nullptr, const Zones& zones = {});

}  // namespace coterie::heuristics
