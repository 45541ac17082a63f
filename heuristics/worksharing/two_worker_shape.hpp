#pragma once

#include "core/risk.hpp"
#include "heuristics/worksharing/two_workers.hpp"

namespace coterie::heuristics {

/// Which of the three characteristics of Theorem 5 a schedule of two workers has. [worksharing-2013, Theorem 5]
struct TwoWorkerShape {
  bool maximal_deployment = false;  ///< work is shared only if together they have all of it
  bool local_first = false;         ///< neither runs a chunk with shared work before one with work of its own
  bool mirrored = false;            ///< no two shared pieces are run in the same order by both workers (errata B5)

  bool holds() const { return maximal_deployment && local_first && mirrored; }
};

/// Chunks within [0, work]; if a worker has a piece twice, its first run counts. Amounts below 1e-12 of the work count
/// as rounding.
TwoWorkerShape shape_of(const TwoWorkerChunks& chunks, double work);

/// The schedule of Theorem 5: chunks of the same sizes in the same order (without what a worker would run again),
/// worker 1's end to end from 0 upwards, worker 2's from `work` downwards. It has all three characteristics. No
/// schedule with these finish times expects more: chunk sizes fix how much each worker finishes when, and then, by the
/// rearrangement inequality, pairing the earliest ends of one with the latest of the other (work that one does not have
/// has none) loses least. So it loses nothing under any risk, common or not, with or without start-up cost.
TwoWorkerChunks in_theorem_5_shape(const TwoWorkerChunks& chunks, double work);

/// The same, evaluated; if a risk jumps, chunks are shortened by up to 1e-12 of the work so that rounding does not put
/// an end behind its jump. `expected_work` is no less than that of `chunks`, up to that amount for each chunk.
TwoWorkerSolution improved_by_theorem_5(const TwoWorkerChunks& chunks, double work, double startup,
                                        const RiskPtr& risk);

/// Exact expected work of any lists, by the evaluator of all schedules; chunk k of a worker ends at the sum of
/// (size + startup) up to it.
double expected_work_of(const TwoWorkerChunks& chunks, double startup, const RiskPtr& risk);

/// Number of distinct chunks of both workers; chunks with the same two ends count as one. [Theorem 1, errata B6]
std::size_t distinct_chunks(const TwoWorkerChunks& chunks, double work);

}  // namespace coterie::heuristics
