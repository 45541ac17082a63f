#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// A lower bound on the mean over s = 1..count of a function that never decreases in s, from O(log count) of its
/// values: beyond the first 256, a block of s/256 steps is represented by its first one. `greatest`: the value at which
/// the function stops growing.
template <typename Function>
double lower_mean(std::size_t count, double greatest, const Function& value) {
  double sum = 0;
  for (std::size_t s = 1; s <= count;) {
    const std::size_t block = std::min(std::max<std::size_t>(1, s / 256), count - s + 1);
    const double least = value(s);
    sum += static_cast<double>(block) * least;
    s += block;
    if (least >= greatest) {
      sum += static_cast<double>(count + 1 - s) * greatest;
      break;
    }
  }
  return sum / static_cast<double>(count);
}

/// Factor for bounds on lost work, so that rounding does not make them too large if `factors` risks are multiplied.
constexpr double rounded_off(std::size_t factors) { return 1 - 1e-12 - 1e-15 * static_cast<double>(factors); }

/// Factor for times in a bound: a time that is too late in its last digit would miss a jump of the risk.
inline constexpr double kNoLater = 1 - 1e-14;

/// A lower bound on the mean over chunks of the product of their replicas' risks, however the steps 1, 2, ... of
/// `workers` workers are dealt to `chunks` chunks; mean_of_logs(k) = mean of log Pr over the first k steps after the
/// `safe_steps` first ones, which have no risk. Arithmetic and geometric mean [worksharing-2013, Proposition 1, for any
/// risk]; each execution of a safe step can save at most one chunk.
template <typename Function>
double lower_mean_of_products(std::size_t chunks, std::size_t workers, std::size_t safe_steps,
                              const Function& mean_of_logs) {
  if (safe_steps >= chunks / workers + 1) return 0;
  const std::size_t safe_chunks = workers * safe_steps;
  if (safe_chunks >= chunks) return 0;
  // A worker executes no chunk twice, so it is at risk no more often than there are chunks at risk.
  const std::size_t at_risk = chunks - safe_chunks;
  const double product = std::exp(static_cast<double>(workers) * mean_of_logs(at_risk) * (1 + 1e-11));
  return static_cast<double>(at_risk) / static_cast<double>(chunks) * product * rounded_off(workers);
}

/// The same for at least `chunks` equal chunks whose steps are at least `step` long.
double lower_mean_of_products(const Risk& risk, std::size_t chunks, std::size_t workers, double step);

/// An upper bound, by the one above, on the expected share of the work that is done by any schedule of `chunks` equal
/// chunks whose workers end their chunks at the risks `risk_at_step`, which never fall.
double upper_bound_of_work(double work, std::size_t chunks, std::size_t workers, std::span<const double> risk_at_step);

/// Number of steps s = 1..most of length d with Pr(s d) = 0.
std::size_t steps_without_risk(const Risk& risk, double step, std::size_t most);

}  // namespace coterie::heuristics
