#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "heuristics/restart/restart_job.hpp"

namespace coterie::heuristics {

/// How a job is cut, and what that takes.
struct RestartPlan {
  std::shared_ptr<const ChunkRule> rule;
  double interval = 0;  ///< the first chunk of a job that has just started
  double expected_time = 0;
  std::string method;
  bool exact = false;  ///< of `optimal_restarts`: no rule at all does better
};

/// Equal intervals. Throws InputError if no chunk of them is ever done.
RestartPlan restart_intervals(const RestartJob& job, double interval, std::string method);

/// The least expected finishing time, chunks being multiples of work / steps; 0: of any size, on a grid of its own.
/// Exponential lives: k equal chunks, k next to W / T where l T + e^(-l (T + C)) = 1 (equal because the time of a chunk
/// is convex in it). Others: dynamic programming over (work left, age). With S the survival, I its integral and z(w)
/// the time from an interruption with w left, U(w, a) = S(a) (time left from age a on) is the least over chunks, b
/// being the age when one is saved, of
///   U(w - x, b) + I(b) - I(a) + (S(a) - S(b)) z(w),   and   z(w) = min (D + I(b) + U(w - x, b)) / S(b) from age R.
/// Exact if checkpoint and restart are multiples of a part of the step, and for chunks of any size all recorded lives
/// are, too; otherwise ages are interpolated, and the rule found is then evaluated exactly. Throws InputError if no
/// chunk is ever done.
RestartPlan optimal_restarts(const RestartJob& job, std::size_t steps = 0);

/// What is done from a fresh start on if nothing happens.
std::vector<double> undisturbed_chunks(const RestartJob& job, const ChunkRule& rule);

}  // namespace coterie::heuristics
