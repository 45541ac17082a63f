#include "heuristics/granularity.hpp"

#include <queue>
#include <vector>

namespace coterie::heuristics {
namespace {

constexpr double kTolerance = 1e-9;
constexpr std::size_t kMostEvaluations = 64;
constexpr std::size_t kNeighbours = 12;

struct Range {
  std::size_t first;
  std::size_t last;
  double bound;
  bool operator<(const Range& other) const { return bound < other.bound; }
};

class Search {
 public:
  explicit Search(const GranularityObjective& objective) : objective_(objective) {}

  double evaluate(std::size_t n) {
    const double expected = objective_.expected(n);
    if (best_.evaluated++ == 0 || expected > best_.expected || (expected == best_.expected && n < best_.chunks)) {
      best_.chunks = n;
      best_.expected = expected;
    }
    return expected;
  }

  /// A first good value: doubling until expected work has fallen twice in a row.
  void probe(std::size_t limit) {
    double previous = -1;
    for (std::size_t n = 1, falls = 0; n <= limit && falls < 2; n *= 2) {
      const double expected = evaluate(n);
      falls = expected < previous ? falls + 1 : 0;
      previous = expected;
    }
  }

  void push(std::size_t first, std::size_t last) {
    const double bound = objective_.upper_bound(first, last);
    if (worth_a_look(bound)) open_.push({first, last, bound});
  }

  /// Best bound first: when the best open bound is no better than the best value, that value is the maximum.
  void exhaust(std::size_t limit) {
    while (!open_.empty()) {
      const Range range = open_.top();
      if (!worth_a_look(range.bound)) break;
      if (best_.evaluated >= kMostEvaluations) {
        best_.bound = range.bound;
        climb(limit);
        return;
      }
      open_.pop();
      if (range.first == range.last) {
        evaluate(range.first);
        continue;
      }
      const std::size_t middle = range.first + (range.last - range.first) / 2;
      push(range.first, middle);
      push(middle + 1, range.last);
    }
    best_.bound = best_.expected * (1 + kTolerance);
  }

  /// From the best count so far by shrinking factors up and down, three counts at a time, then all close neighbours.
  void climb(std::size_t limit) {
    for (const double factor : {1.3, 1.14, 1.07, 1.03}) {
      for (std::size_t from = 0; from != best_.chunks;) {
        from = best_.chunks;
        const auto at = static_cast<double>(from);
        try_near(at * factor, limit);
        try_near(at / factor, limit);
      }
    }
    try_around(best_.chunks, kNeighbours, limit);
  }

  const GranularityChoice& best() const { return best_; }

 private:
  /// A count and its neighbours, and the multiples of the stride below and above.
  void try_near(double count, std::size_t limit) {
    const auto n = static_cast<std::size_t>(count + 0.5);
    const std::size_t below = n / objective_.stride * objective_.stride;
    try_around(n, 1, limit);
    if (below > 0 && objective_.stride > 1) try_around(below, 0, limit);
    if (objective_.stride > 1) try_around(below + objective_.stride, 0, limit);
  }

  void try_around(std::size_t centre, std::size_t reach, std::size_t limit) {
    const std::size_t first = centre > reach ? centre - reach : 1;
    for (std::size_t n = first; n <= std::min(limit, centre + reach); ++n) evaluate(n);
  }

  bool worth_a_look(double bound) const { return bound > best_.expected * (1 + kTolerance); }

  const GranularityObjective& objective_;
  GranularityChoice best_;
  std::priority_queue<Range> open_;
};

}  // namespace

GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective) {
  Search search(objective);
  search.probe(limit);
  for (std::size_t first = 1; first <= limit; first *= 2) search.push(first, std::min(limit, 2 * first - 1));
  search.exhaust(limit);
  return search.best();
}

GranularityChoice binary_search_granularity(std::size_t limit, const std::function<double(std::size_t)>& expected) {
  std::size_t low = 1;
  std::size_t high = limit;
  GranularityChoice choice;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    choice.evaluated += 2;
    if (expected(middle) < expected(middle + 1)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  choice.chunks = low;
  choice.expected = expected(low);
  return choice;
}

std::size_t granularity_limit(double local_load, double startup_cost) {
  if (startup_cost <= 0)
    throw InputError(
        "chunks = \"auto\" needs a start-up cost above 0 (without one more chunks are always better); "
        "give a whole number of chunks");
  constexpr double kMost = 1e6;
  return static_cast<std::size_t>(std::clamp(std::floor(local_load / startup_cost), 1.0, kMost));
}

std::size_t steps_without_risk(const Risk& risk, double step) {
  auto count = static_cast<std::size_t>(std::max(0.0, std::floor(risk.quantile(0) / step)));
  while (risk.probability(static_cast<double>(count + 1) * step) <= 0) ++count;
  while (count > 0 && risk.probability(static_cast<double>(count) * step) > 0) --count;
  return count;
}

}  // namespace coterie::heuristics
