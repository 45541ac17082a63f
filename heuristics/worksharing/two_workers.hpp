#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "core/schedule.hpp"

namespace coterie::heuristics {

/// A part [begin, end) of the workload [0, W).
struct WorkInterval {
  double begin = 0;
  double end = 0;
};

/// The chunks of each of two workers, in order of execution.
using TwoWorkerChunks = std::array<std::vector<WorkInterval>, 2>;

/// Two workers of equal risk, at most n chunks each. [worksharing-2013, Section 4]
struct TwoWorkerSolution {
  TwoWorkerChunks chunks;
  double work = 0;     ///< W, where worker 2 starts
  double startup = 0;  ///< eps, before each chunk
  double expected_work = 0;
  std::string method;
  bool exact = false;  ///< proven: no schedule of its shape with at most n chunks per worker is better
};

/// One chunk each, symmetric: both run all of W if W <= X/2, otherwise disjoint halves of min(W, X).
/// At W = X/2 both give 3X/8. Linear risk. [worksharing-2013, Theorem 7; errata B10]
TwoWorkerSolution symmetric_single_chunk(double work, double kappa);

/// Algorithm 1 with the branches of the errata: disjoint, n X / (n + 1) and exactly optimal from
/// W >= 2 n X / (n + 1) on; mirrored equal chunks for W <= X; between, exclusive thirds with floor(n / 3) chunks and
/// 2 floor(n / 3) mirrored ones, or for n < 3, where the printed one divides by zero, disjoint halves.
/// [worksharing-2013, Algorithm 1 and Theorem 8; errata A1, A2, B3]
TwoWorkerSolution algorithm_1(double work, std::int64_t chunks, double kappa);

/// Algorithm 1 as printed: the disjoint branch only from W >= 2X on. Requires n >= 3 where X < W < 2X.
TwoWorkerSolution printed_algorithm_1(double work, std::int64_t chunks, double kappa);

/// All of W in n equal chunks, worker 2 in the opposite order: asymptotically optimal under any risk, at most 2W/n
/// below the limit. [worksharing-2013, Theorem 6; errata B9]
TwoWorkerSolution mirrored_chunks(double work, std::int64_t chunks, const RiskPtr& risk);

/// Each worker runs its own optimal chunks of one half, at most `chunks` of them (nothing: as many as help, with a
/// start-up cost); nothing is shared. Optimal if one worker's optimum takes no more than half of the work.
TwoWorkerSolution disjoint_halves(double work, std::optional<std::int64_t> chunks, double startup, const RiskPtr& risk);

/// Integral over [0, W] of 1 - Pr(u + eps) Pr(W - u + eps): the limit of the expected work of many mirrored chunks
/// without start-up cost, and an upper bound for all schedules of two workers: the u-th unit of work that a worker
/// runs ends at u + eps or later, and pairing early ends of one with late ends of the other loses least.
/// [worksharing-2013, Theorem 6]
double mirrored_limit(double work, const Risk& risk, double startup = 0);

/// An upper bound for every schedule of two workers with at most `chunks` chunks each (nothing: any number) and this
/// start-up cost: the lesser of W and mirrored_limit; under linear risk (Theorems 2 and 4) no more than twice the
/// expectation of one worker with all of W available.
double two_worker_bound(double work, std::optional<std::int64_t> chunks, double startup, const RiskPtr& risk);

/// The best that is known. Without start-up cost, for which it needs `chunks` (n): the best hybrid of e equal exclusive
/// chunks of A in all per worker and n - e equal shared ones, mirrored; e and A optimal. This contains Theorem 7,
/// Theorem 6 and the disjoint schedule, equals the free optimum for n <= 3, and is at most about 1e-3 X below it for
/// n = 4, 5; under linear risk A comes from a quadratic. (The search below would gain that, and take a hundred times
/// longer.) With a start-up cost before each chunk, a problem that worksharing-2013 leaves open beyond Theorem 1:
/// - where one worker's optimum over all of W takes no more than half of it: disjoint chunks, exact where that optimum
///   is proven;
/// - else the best of several starts: hybrids of e equal exclusive and s equal mirrored chunks, the best over e, s and
///   the exclusive work, and all small counts; one worker's optimum over half and over all of the work for both; with
///   few chunks, one chunk at one worker and the best response of the other. From each, ends of chunks are moved,
///   chunks added and taken away at either worker or both, and short lists replaced by the best response to the
///   other's (on a grid), as long as that gains. By Theorem 5 all lists lie end to end from the two ends of the work,
///   so only the ends are left to choose. A heuristic; no schedule expects more than two_worker_bound.
/// At most kMostSearchedChunks chunks per worker are considered if the optimum of one worker has no closed form.
TwoWorkerSolution best_two_workers(double work, std::optional<std::int64_t> chunks, double startup,
                                   const RiskPtr& risk);

/// For the exact evaluator and the simulation.
Schedule to_schedule(const TwoWorkerSolution& solution);

}  // namespace coterie::heuristics
