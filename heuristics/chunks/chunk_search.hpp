#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/empirical_risk.hpp"
#include "core/risk.hpp"

namespace coterie::heuristics {

/// The most chunks that the search considers under a smooth risk without a closed formula.
inline constexpr std::int64_t kMostSearchedChunks = 2500;

/// The chunks of one worker, in order, and their value.
struct ChunkPlan {
  std::vector<double> sizes;         ///< work units, > 0
  std::vector<double> finish_times;  ///< strictly increasing, start-up costs included
  double expected_work = 0;
  bool polished = false;  ///< Newton's method on the stationarity conditions has converged
};

/// Chunks of one worker, at most `chunks` of them, that maximise
///   E = sum_i w_i G(t_i),  t_i = w_1 + ... + w_i + i eps,  sum w_i <= W,  G = 1 - Pr
/// for a risk with a density: dynamic programme over a grid of finish times, then Newton's method on
///   G(t_i) - w_i f(t_i) = G(t_{i+1}), f the density; last: G - w f = 0, or t_n = W + n eps,
/// from the best few numbers of chunks. [worksharing-2013, Section 2.2.3]
/// Requires work >= 0 (may be infinite), chunks >= 1, startup >= 0. Throws InputError if more than
/// kMostSearchedChunks chunks would still gain.
ChunkPlan search_chunks(double work, std::int64_t chunks, double startup, const Risk& risk);

/// The same for an empirical risk, exactly: some optimum ends every chunk at an observed duration, except that the
/// last may end at W + m eps. Dynamic programme over the durations. Throws InputError if it would not fit into memory.
ChunkPlan best_chunks(double work, std::int64_t chunks, double startup, const EmpiricalRisk& risk);

/// One plan for each bound on the number of chunks, all from one programme, which ends when `patience` further chunks
/// in a row gained nothing (if it does not end early, it is exact).
std::vector<ChunkPlan> best_chunks(double work, std::span<const std::int64_t> chunks, double startup,
                                   const EmpiricalRisk& risk,
                                   std::size_t patience = std::numeric_limits<std::size_t>::max());

/// Improves the finish times of a plan made for a risk with fewer jumps: each in turn is moved to the best duration
/// between its neighbours, as long as that gains (a few rounds at most). E does not fall.
ChunkPlan settled(const ChunkPlan& plan, double work, double startup, const EmpiricalRisk& risk);

}  // namespace coterie::heuristics
