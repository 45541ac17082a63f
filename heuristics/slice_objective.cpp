#include "heuristics/slice_objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

namespace coterie::heuristics {
namespace {

/// A product of risks below this adds nothing to a sum of work, and further factors make it no greater.
constexpr double kNothing = 1e-20;

}  // namespace

void risk_of_steps(const Risk& risk, const Chunking& chunking, double startup_cost, std::size_t count,
                   std::vector<double>& values) {
  values.resize(count);
  const StepEnds end = chunking.step_ends(startup_cost);
  for (std::size_t s = 1; s <= count; ++s) values[s - 1] = end(s);
  risk.probabilities(values, values);
}

double SliceObjective::expected(std::size_t chunks) {
  const std::size_t g = workers_;
  const std::size_t groups = (chunks + g - 1) / g;
  risk_of_steps(risk_, Chunking::equal(slice_, chunks), startup_cost_, g * groups, risk_at_step_);
  if (g == 1)  // whatever the order
    return slice_ *
           (1 - std::accumulate(risk_at_step_.begin(), risk_at_step_.end(), 0.0) / static_cast<double>(chunks));
  return slice_ * (1 - mean_lost(chart_(g, groups, risk_at_step_), g * groups - chunks));
}

double SliceObjective::expected(std::size_t chunks, const GroupChart& chart) {
  const std::size_t steps = chart.executions * chart.groups;
  risk_of_steps(risk_, Chunking::equal(slice_, chunks), startup_cost_, steps, risk_at_step_);
  return slice_ * (1 - mean_lost(chart, steps - chunks));
}

double SliceObjective::product_of_column(const GroupChart& chart, std::size_t group) const {
  double product = 1;
  for (std::size_t i = 0; i < chart.executions && product > kNothing; ++i)
    product *= risk_at_step_[chart.at(i, group) - 1];
  return product;
}

double SliceObjective::mean_lost(const GroupChart& chart, std::size_t phantoms) {
  const std::size_t g = chart.executions;
  const std::size_t m = chart.groups;
  double sum = 0;
  for (std::size_t j = 0; j < (phantoms == 0 ? m : 0); ++j) sum += product_of_column(chart, j);
  if (phantoms == 0) return sum / static_cast<double>(m);
  // Phantoms are the last chunks of the last group. A worker that has passed k of them runs k steps ahead of the chart:
  // before[x] counts phantoms among the chunk positions 0..x-1, three times around.
  before_.assign(3 * g + 1, 0);
  for (std::size_t x = 0; x < 3 * g; ++x) before_[x + 1] = before_[x] + (x % g >= g - phantoms ? 1 : 0);
  for (std::size_t j = 0; j < m; ++j) {
    if (product_of_column(chart, j) <= kNothing) continue;  // skipping phantoms makes it less still
    const std::size_t chunks = j + 1 == m ? g - phantoms : g;
    products_.assign(chunks, 1.0);
    std::size_t passed = 0;  // executions of the last group before this one
    for (std::size_t i = 0; i < g; ++i) {
      const std::uint32_t step = chart.at(i, j);
      while (passed < g && chart.at(passed, m - 1) < step) ++passed;
      // Of chunk q it is worker q - i, which began there.
      const double* const risk = risk_at_step_.data() + step - 1;
      const std::uint32_t* const start = before_.data() + (g - i);
      for (std::size_t q = 0; q < chunks; ++q) products_[q] *= *(risk - (start[q + passed] - start[q]));
    }
    for (const double product : products_) sum += product;
  }
  return sum / static_cast<double>(g * m - phantoms);
}

double SliceObjective::upper_bound(std::size_t first, std::size_t last) const {
  const double d = step(last);
  const auto risk_at = [&](std::size_t s) { return risk_.probability(static_cast<double>(s) * d); };
  if (workers_ == 1) return slice_ * (1 - lower_mean(first, risk_at));
  const std::size_t safe = steps_without_risk(risk_, d);
  const std::size_t at_risk = first > safe * workers_ ? first - safe * workers_ : 0;
  return slice_ * (1 - lower_mean_of_products(first, workers_, safe + at_risk, safe, risk_at));
}

double SliceObjective::upper_bound_of_all(std::size_t limit) const {
  constexpr int kSplits = 300;
  struct Range {
    std::size_t first, last;
    double bound;
    bool operator<(const Range& other) const { return bound < other.bound; }
  };
  std::priority_queue<Range> ranges;
  const auto add = [&](std::size_t first, std::size_t last) {
    if (first <= last) ranges.push({first, last, upper_bound(first, last)});
  };
  add(1, limit);
  for (int split = 0; split < kSplits && ranges.top().first < ranges.top().last; ++split) {
    const auto [first, last, bound] = ranges.top();
    ranges.pop();
    const auto middle = static_cast<std::size_t>(std::sqrt(static_cast<double>(first) * static_cast<double>(last)));
    add(first, middle);
    add(middle + 1, last);
  }
  return std::min(slice_, ranges.top().bound);
}

std::size_t slice_chunk_limit(const WorksharingProblem& problem) {
  // No more than can be held in memory: each worker of a coterie runs all of its chunks.
  constexpr std::size_t kMostTasks = 20'000'000;
  return std::min(granularity_limit(problem.local_load(), problem.startup_cost),
                  std::max<std::size_t>(1, kMostTasks / problem.workers));
}

GranularityChoice choose_slice_chunks(SliceObjective& objective, const WorksharingProblem& problem,
                                      Granularity::Kind kind) {
  const std::size_t limit = slice_chunk_limit(problem);
  const auto expected = [&](std::size_t n) { return objective.expected(n); };
  if (kind == Granularity::Kind::kAutoPaper) return binary_search_granularity(limit, expected);
  return best_granularity(limit, {.expected = expected,
                                  .steps = [&](std::size_t n) { return objective.steps(n); },
                                  .whole = objective.slice(),
                                  .in_progress = static_cast<double>(objective.workers()) * objective.slice(),
                                  .stride = objective.workers(),
                                  .shape = shape_under(*problem.risk)});
}

}  // namespace coterie::heuristics
