#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// A number of chunks and its exact expected work.
struct GranularityChoice {
  std::size_t chunks = 1;
  double expected = 0;
  double bound = 0;           ///< proven: no number of chunks in the range gives more
  std::size_t evaluated = 0;  ///< how many numbers were tried
};

/// What is maximised over the number of chunks n.
struct GranularityObjective {
  std::function<double(std::size_t n)> expected;
  /// Proven: expected(n) <= upper_bound(a, b) for every n in [a, b].
  std::function<double(std::size_t a, std::size_t b)> upper_bound;
  /// Expected work is smooth from one multiple of it to the next: the workers of a coterie.
  std::size_t stride = 1;
};

/// The n in 1..limit with the greatest expected work. Expected work need not be unimodal in n: powers of two are tried
/// first, then the way uphill from the best of them, then always the n with the greatest upper bound, whole ranges
/// being split where theirs is greatest. The search ends where no open bound exceeds the best value (by more than
/// 1e-9), which is then the proven maximum, or after 128 more tries, with `bound` telling how much could be lost at
/// most.
GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective);

/// The plain binary search of [worksharing-2013, Section 5.2.3], right only where expected work is unimodal.
GranularityChoice binary_search_granularity(std::size_t limit, const std::function<double(std::size_t)>& expected);

/// 1..maxsl/eps, at least 1, at most 10^6. Throws InputError for eps = 0, where more chunks are always better.
std::size_t granularity_limit(double local_load, double startup_cost);

/// A lower bound of the mean over s = 1..count of a function that never decreases in s, from O(log count) of its
/// values: beyond the first 256, a block of s/256 steps is represented by its first one.
template <typename Function>
double lower_mean(std::size_t count, const Function& value) {
  double sum = 0;
  for (std::size_t s = 1; s <= count;) {
    const std::size_t block = std::min(std::max<std::size_t>(1, s / 256), count - s + 1);
    const double least = value(s);
    sum += static_cast<double>(block) * least;
    s += block;
    if (least >= 1) {  // risks and their products end at 1
      sum += static_cast<double>(count + 1 - s);
      break;
    }
  }
  return sum / static_cast<double>(count);
}

/// A lower bound of the mean over chunks of the product of their replicas' risks, however the steps 1..`steps` of
/// `workers` workers are dealt to `chunks` chunks; risk_at(s) = Pr at step s. Arithmetic and geometric mean
/// [worksharing-2013, Proposition 1, for any risk], the `safe_steps` first steps (without risk) apart: each of their
/// executions can save one chunk at most.
template <typename Function>
double lower_mean_of_products(std::size_t chunks, std::size_t workers, std::size_t steps, std::size_t safe_steps,
                              const Function& risk_at) {
  const std::size_t safe_chunks = workers * safe_steps;
  if (safe_chunks >= chunks || steps <= safe_steps) return 0;
  const std::size_t at_risk = chunks - safe_chunks;
  const std::size_t risky_steps = steps - safe_steps;
  const double mean_log = lower_mean(risky_steps, [&](std::size_t s) { return std::log(risk_at(safe_steps + s)); });
  const double executions = static_cast<double>(workers) * static_cast<double>(risky_steps);
  return static_cast<double>(at_risk) / static_cast<double>(chunks) *
         std::exp(executions / static_cast<double>(at_risk) * mean_log);
}

/// Number of steps s >= 1 of length d with Pr(s d) = 0.
std::size_t steps_without_risk(const Risk& risk, double step);

}  // namespace coterie::heuristics
