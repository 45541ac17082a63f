#pragma once

#include <cstddef>
#include <functional>

#include "core/infinity.hpp"
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

/// Limits on the steps examined, in all and for one count; only absurd inputs exceed them.
inline constexpr std::size_t kMostSteps = 50'000'000;
inline constexpr std::size_t kMostStepsAtOnce = 4'000'000;

/// The function that is maximised over the number of chunks n.
struct GranularityObjective {
  /// Exact; but a value of at most `enough` may be replaced by an upper bound that is also at most `enough`.
  std::function<WorkEstimate(std::size_t n, double enough)> expected;
  /// The cost of computing it, in look-ups of a risk or similar; searches and counts that need too many end.
  std::function<std::size_t(std::size_t n)> steps = [](std::size_t n) { return n; };
  /// Proven: smaller n give nothing.
  std::size_t first = 1;
  /// Proven: an upper bound for every n from this one on.
  std::function<double(std::size_t n)> at_most_from = [](std::size_t) { return kInfinity; };
  /// Proven: an upper bound for all n (the work handed out).
  double whole = kInfinity;
  /// For n = 1, an upper bound on the work in chunks that are running when their workers are interrupted.
  double in_progress = kInfinity;
  /// How many consecutive counts of a survey must be so far behind the best that finer chunks cannot make up for it
  /// before the survey ends. Larger if more than the size of a chunk matters.
  std::size_t patience = 3;
  /// The best counts are likely multiples of this (the size of a group); a hint for the search.
  std::size_t stride = 1;
  /// Whether expected work, apart from ripples, rises and falls only once, as under risks with a density. Under
  /// empirical ones it has several humps. [RESULTS.md, B8]
  enum class Shape { kOneHump, kSeveralHumps };
  Shape shape = Shape::kSeveralHumps;
  /// By how much, relative to the best, neighbouring counts differ by chance; the more, the more counts are tried.
  double ripples = 0.01;
  /// How many of the n chunks correspond to one of a worker's: ripples fall with n / scale, and so does the search
  /// step.
  double scale = 1;
  /// Whether all counts near the best are tried although there is one hump, because its ripples are high.
  bool rough = false;
};

/// The shape of expected work of lists of `load` under a risk. If lives are much shorter than that, each further chunk
/// that fits into a life makes a hump, also where the risk has a density.
GranularityObjective::Shape shape_under(const Risk& risk, double load = 0);

/// A lower bound, by less than 1, on the n for which a chunk of work / n can be completed at all, apart from
/// probabilities lost to rounding; limit + 1 if it is above the limit.
std::size_t first_count_of_use(const Risk& risk, double work, double startup_cost, std::size_t limit);

/// The n in 1..limit with the greatest expected work. The range is surveyed in even steps of log n. If there is one
/// hump, the best summits of the survey are climbed with halving steps; if its ripples are high, all counts near the
/// best are tried first. If there may be several humps, the survey continues until finer chunks cannot make up for the
/// loss, and every n between surveyed ones near the best is tried (from 250 on in steps of 1/250, and beyond the best
/// few only as many as cost about as much as all the rest). Then all neighbours of the best follow (6 to 12 or 32 on
/// each side), until none is better. The search ends early if all work is done to within 1e-13. Not proven; the results
/// of exhaustive scans are in RESULTS.md, "Where greedy is beaten" (granularity_test.cpp).
GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective);

/// The plain binary search of [worksharing-2013, Section 5.2.3], correct only if expected work is unimodal.
GranularityChoice binary_search_granularity(std::size_t limit, const std::function<double(std::size_t)>& expected);

/// Whether granularity_limit has an answer.
bool counts_can_be_searched(double local_load, double startup_cost);

/// maxsl/eps, the limit of the search in the paper: at least 1, at most 10^6. Throws InputError for eps = 0, where
/// there is in general no best number, and if the start-up cost is so small relative to the load of a worker (10^-12 of
/// it) that the best count would not fit into memory. Not a limit for the true optimum: if a slice is longer than the
/// life of a worker, more chunks can be better.
std::size_t granularity_limit(double local_load, double startup_cost);

}  // namespace coterie::heuristics
