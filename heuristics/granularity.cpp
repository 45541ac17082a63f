#include "heuristics/granularity.hpp"

#include <bit>
#include <queue>
#include <unordered_map>
#include <vector>

namespace coterie::heuristics {
namespace {

constexpr double kTolerance = 1e-9;
constexpr std::size_t kMostEvaluations = 128;

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
    if (const auto known = tried_.find(n); known != tried_.end()) return known->second;
    const double expected = tried_[n] = objective_.expected(n);
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

  /// From the best so far uphill: first over multiples of the objective's stride, where expected work has one peak
  /// under most risks, then by single numbers.
  void climb(std::size_t limit) {
    const std::size_t stride = objective_.stride;
    if (limit >= stride) {
      const std::size_t nearest = std::max<std::size_t>(1, (best_.chunks + stride / 2) / stride);
      climb_multiples(stride, std::min(nearest, limit / stride), limit / stride, limit);
    }
    climb_multiples(1, best_.chunks, limit, stride);
  }

  void push(std::size_t first, std::size_t last) {
    const double bound = objective_.upper_bound(first, last);
    if (worth_a_look(bound)) open_.push({first, last, bound});
  }

  /// Best bound first: when the best open bound is no better than the best value, that value is the maximum.
  void exhaust() {
    const std::size_t most = best_.evaluated + kMostEvaluations;
    while (!open_.empty()) {
      const Range range = open_.top();
      if (!worth_a_look(range.bound)) break;
      if (best_.evaluated >= most) {
        best_.bound = range.bound;
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

  const GranularityChoice& best() const { return best_; }

 private:
  /// From at * unit to better multiples, in steps that are halved where none leads up.
  void climb_multiples(std::size_t unit, std::size_t at, std::size_t limit, std::size_t most_step) {
    double here = evaluate(at * unit);
    for (std::size_t step = std::bit_floor(std::min(at, most_step)); step > 0; step /= 2)
      while (true) {
        const double up = at + step <= limit ? evaluate((at + step) * unit) : here;
        const double down = at > step ? evaluate((at - step) * unit) : here;
        if (std::max(up, down) <= here) break;
        at = up >= down ? at + step : at - step;
        here = std::max(up, down);
      }
  }

  bool worth_a_look(double bound) const { return bound > best_.expected * (1 + kTolerance); }

  const GranularityObjective& objective_;
  GranularityChoice best_;
  std::priority_queue<Range> open_;
  std::unordered_map<std::size_t, double> tried_;
};

}  // namespace

GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective) {
  Search search(objective);
  search.probe(limit);
  search.climb(limit);
  for (std::size_t first = 1; first <= limit; first *= 2) search.push(first, std::min(limit, 2 * first - 1));
  search.exhaust();
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
