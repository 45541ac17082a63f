#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// A number of chunks and its exact expected work.
struct GranularityChoice {
  std::size_t chunks = 1;
  double expected = 0;
  std::size_t evaluated = 0;  ///< how many numbers were tried
};

/// Expected work, or an upper bound of it.
struct WorkEstimate {
  WorkEstimate(double amount, bool is_exact = true) : work(amount), exact(is_exact) {}
  double work;
  bool exact;
};

/// Steps looked at in all, and for one count: only absurd inputs ask for more.
inline constexpr std::size_t kMostSteps = 50'000'000;
inline constexpr std::size_t kMostStepsAtOnce = 4'000'000;

/// What is maximised over the number of chunks n.
struct GranularityObjective {
  /// Exact, except that a bound may stand for what is no more than `enough`; the bound is no more than that either.
  std::function<WorkEstimate(std::size_t n, double enough)> expected;
  /// How many look-ups of a risk or the like computing that takes: searches and counts that ask for too many end.
  std::function<std::size_t(std::size_t n)> steps = [](std::size_t n) { return n; };
  /// Proven: no n gives more (the work that is handed out).
  double whole = std::numeric_limits<double>::infinity();
  /// The work in chunks that workers are at when they are interrupted, at most, were n = 1.
  double in_progress = std::numeric_limits<double>::infinity();
  /// How many counts on end a survey must find so far behind the best one that finer chunks cannot make up for it,
  /// before it ends. More than a few where other things than the size of a chunk decide.
  std::size_t patience = 3;
  /// Multiples of this are likely the best counts (the size of a group); a hint where to climb.
  std::size_t stride = 1;
  /// Whether expected work rises and falls only once but for ripples, as it does under risks with a density. Under
  /// empirical ones it has several humps. [RESULTS.md, B8]
  enum class Shape { kOneHump, kSeveralHumps };
  Shape shape = Shape::kSeveralHumps;
  /// How far, relative to the best, counts that are close to one another differ by chance: the wider, the more are
  /// tried.
  double ripples = 0.01;
};

/// What the shape of expected work is under a risk.
GranularityObjective::Shape shape_under(const Risk& risk);

/// The n in 1..limit with the greatest expected work. The range is surveyed in even steps of log n. Where there is one
/// hump, the best summits of the survey are climbed by halving steps; where there may be several, the survey goes on
/// until finer chunks could not make up for what is lost, and every n (from 250 on in steps of 1/250, and all of them
/// beside the best few) between surveyed ones near the best is tried. Then follow all neighbours of the best (6 to 12
/// or 32 on each side), until none is better. The search ends early where all work is as good as done, to 1e-13. Not
/// proven; what exhaustive scans find is in RESULTS.md, "Where greedy is beaten" (granularity_test.cpp).
GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective);

/// The plain binary search of [worksharing-2013, Section 5.2.3], right only where expected work is unimodal.
GranularityChoice binary_search_granularity(std::size_t limit, const std::function<double(std::size_t)>& expected);

/// 1..maxsl/eps, at least 1, at most 10^6. Throws InputError for eps = 0, where more chunks are always better, and
/// where the start-up cost is so small beside the load of a worker (10^-12 of it) that the best count could not be held
/// in memory.
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

/// A lower bound of the mean over chunks of the product of their replicas' risks, however the steps 1, 2, ... of
/// `workers` workers are dealt to `chunks` chunks; sum_of_logs() = sum of log Pr over the steps but the `safe_steps`
/// first, those without risk. Arithmetic and geometric mean [worksharing-2013, Proposition 1, for any risk]; each
/// execution of a safe step can save one chunk at most.
template <typename Function>
double lower_mean_of_products(std::size_t chunks, std::size_t workers, std::size_t safe_steps,
                              const Function& sum_of_logs) {
  const std::size_t safe_chunks = workers * safe_steps;
  if (safe_chunks >= chunks) return 0;
  const auto at_risk = static_cast<double>(chunks - safe_chunks);
  return at_risk / static_cast<double>(chunks) * std::exp(static_cast<double>(workers) / at_risk * sum_of_logs());
}

/// What bounds of lost work are multiplied by, so that rounding makes none too great.
inline constexpr double kRoundedOff = 1 - 1e-12;

/// No schedule of `chunks` equal chunks does more of the work, in expectation, whose workers end their chunks at the
/// risks `risk_at_step`, which never fall: by the bound above.
double upper_bound_of_work(double work, std::size_t chunks, std::size_t workers, std::span<const double> risk_at_step);

/// Number of steps s >= 1 of length d with Pr(s d) = 0.
std::size_t steps_without_risk(const Risk& risk, double step);

}  // namespace coterie::heuristics
