#pragma once

#include <optional>

#include "core/risk.hpp"
#include "heuristics/worksharing/two_workers.hpp"

namespace coterie::heuristics {

/// An upper bound for every schedule of two workers with at most `chunks` chunks each (nothing: any number) and this
/// start-up cost: the lesser of W and mirrored_limit; under linear risk (Theorems 2 and 4) no more than twice the
/// expectation of one worker with all of W available.
double two_worker_bound(double work, std::optional<std::int64_t> chunks, double startup, const RiskPtr& risk);

/// Two workers, each chunk preceded by `startup`: a problem that worksharing-2013 leaves open beyond Theorem 1. Without
/// start-up cost it calls best_hybrid, which needs `chunks`. Otherwise
/// - where one worker's optimum over all of W takes no more than half of it: disjoint chunks, exact where that optimum
///   is proven;
/// - else the best of several starts: hybrids of e equal exclusive and s equal mirrored chunks, the best over e, s and
///   the exclusive work, and all small counts; one worker's optimum over half and over all of the work for both; with
///   few chunks, one chunk at one worker and the best response of the other. From each, ends of chunks are moved,
///   chunks added and taken away at either worker or both, and short lists replaced by the best response to the
///   other's (on a grid), as long as that gains. By Theorem 5 all lists lie end to end from the two ends of the work,
///   so only the ends are left to choose. A heuristic; no schedule expects more than two_worker_bound.
/// At most kMostSearchedChunks chunks per worker are considered if the optimum of one worker has no closed form.
TwoWorkerSolution best_charged_hybrid(double work, std::optional<std::int64_t> chunks, double startup,
                                      const RiskPtr& risk);

}  // namespace coterie::heuristics
