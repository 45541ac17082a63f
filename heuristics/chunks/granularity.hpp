#pragma once

#include <cstddef>
#include <functional>
#include <limits>

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
  /// Proven: smaller n give nothing.
  std::size_t first = 1;
  /// Proven: what every n from this one on gives at most.
  std::function<double(std::size_t n)> at_most_from = [](std::size_t) {
    return std::numeric_limits<double>::infinity();
  };
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
  /// How many of the n chunks stand for one of a worker's: ripples fall with n / scale, and search steps are as fine.
  double scale = 1;
  /// Whether counts near the best are all tried although there is one hump: its ripples are high.
  bool rough = false;
};

/// What the shape of expected work is under a risk.
GranularityObjective::Shape shape_under(const Risk& risk);

/// The least n for which a chunk of work / n can be completed at all, but for probabilities that rounding loses; more
/// than `limit` where none up to there can.
std::size_t first_count_of_use(const Risk& risk, double work, double startup_cost, std::size_t limit);

/// The n in 1..limit with the greatest expected work. The range is surveyed in even steps of log n. Where there is one
/// hump, the best summits of the survey are climbed by halving steps, and all counts near the best are tried before
/// where its ripples are high; where there may be several, the survey goes on until finer chunks could not make up for
/// what is lost, and every n (from 250 on in steps of 1/250, and of those beside the best few as many as cost about
/// what all else does) between surveyed ones near the best is tried. Then follow all neighbours of the best (6 to 12 or
/// 32 on each side), until none is better. The search ends early where all work is as good as done, to 1e-13. Not
/// proven; what exhaustive scans find is in RESULTS.md, "Where greedy is beaten" (granularity_test.cpp).
GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective);

/// The plain binary search of [worksharing-2013, Section 5.2.3], right only where expected work is unimodal.
GranularityChoice binary_search_granularity(std::size_t limit, const std::function<double(std::size_t)>& expected);

/// maxsl/eps, where the paper ends its search: at least 1, at most 10^6. Throws InputError for eps = 0, where more
/// chunks are always better, and where the start-up cost is so small beside the load of a worker (10^-12 of it) that
/// the best count could not be held in memory. No end of a search for the best: where a slice is longer than what a
/// worker lives, more chunks can be better.
std::size_t granularity_limit(double local_load, double startup_cost);

}  // namespace coterie::heuristics
