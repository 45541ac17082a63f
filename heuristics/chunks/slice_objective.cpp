#include "heuristics/chunks/slice_objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "core/cancellation.hpp"
#include "heuristics/chunks/loss_bounds.hpp"

namespace coterie::heuristics {
namespace {

/// However two workers order the same chunks, the mean product of a chunk's risks is least if the first chunk of one is
/// the last of the other, and so on, as in greedy. [rearrangement inequality]
double least_mean_of_pairs(std::span<const double> risk_at_step) {
  const double sum = std::inner_product(risk_at_step.begin(), risk_at_step.end(), risk_at_step.rbegin(), 0.0);
  return sum / static_cast<double>(risk_at_step.size());
}

}  // namespace

void risk_of_steps(const Risk& risk, const Chunking& chunking, double startup_cost, std::size_t count,
                   std::vector<double>& values) {
  values.resize(count);
  chunking.step_ends(startup_cost).fill(values);
  risk.probabilities(values, values);
}

WorkEstimate SliceObjective::expected(std::size_t chunks, double enough) {
  cancellation_point();
  const std::size_t g = workers_;
  const std::size_t groups = (chunks + g - 1) / g;
  risk_of_steps(risk_, Chunking::equal(slice_, chunks), startup_cost_, g * groups, risk_at_step_);
  if (g == 1)  // whatever the order
    return slice_ *
           (1 - std::accumulate(risk_at_step_.begin(), risk_at_step_.end(), 0.0) / static_cast<double>(chunks));
  const auto steps = std::span<const double>(risk_at_step_).first(chunks);
  if (g == 2 && chunks % 2 == 0 && chart_ == greedy_chart) return slice_ * (1 - least_mean_of_pairs(steps));
  if (enough > 0 && g != 3) {  // with three workers it costs more than it saves
    const double bound = g == 2 ? slice_ * (1 - least_mean_of_pairs(steps) * rounded_off(2))
                                : upper_bound_of_work(slice_, chunks, g, steps);
    if (bound <= enough) return {bound, false};
  }
  return slice_ * (1 - mean_lost(chart_(g, groups, risk_at_step_), g * groups - chunks));
}

double SliceObjective::expected(std::size_t chunks, const GroupChart& chart) {
  const std::size_t steps = chart.executions * chart.groups;
  risk_of_steps(risk_, Chunking::equal(slice_, chunks), startup_cost_, steps, risk_at_step_);
  return slice_ * (1 - mean_lost(chart, steps - chunks));
}

double SliceObjective::product_of_column(const GroupChart& chart, std::size_t group) const {
  double product = 1;
  for (std::size_t i = 0; i < chart.executions && product > kNothingLost; ++i)
    product *= risk_at_step_[chart.at(i, group) - 1];
  return product;
}

double SliceObjective::mean_lost(const GroupChart& chart, std::size_t phantoms) {
  const std::size_t g = chart.executions;
  const std::size_t m = chart.groups;
  if (phantoms == 0)
    return vector_loops().sum_columns({risk_at_step_.data(), chart.steps.data(), g, m}) / static_cast<double>(m);
  double sum = 0;
  // Phantoms are the last chunks of the last group. A worker that has passed k of them runs k steps ahead of the chart:
  // before[x] counts phantoms among the chunk positions 0..x-1, three times around.
  executions_.resize(g);
  before_.assign(3 * g + 1, 0);
  for (std::size_t x = 0; x < 3 * g; ++x) before_[x + 1] = before_[x] + (x % g >= g - phantoms ? 1 : 0);
  for (std::size_t j = 0; j < m; ++j) {
    if (product_of_column(chart, j) <= kNothingLost) continue;  // skipping phantoms makes it less still
    const std::size_t chunks = j + 1 == m ? g - phantoms : g;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < g; ++i) {
      const std::uint32_t step = chart.at(i, j);
      while (passed < g && chart.at(passed, m - 1) < step) ++passed;
      executions_[i] = {risk_at_step_.data() + step - 1, before_.data() + (g - i), passed};
    }
    cancellation_point();
    sum += vector_loops().sum_shifted(executions_.data(), g, chunks);
  }
  return sum / static_cast<double>(g * m - phantoms);
}

double SliceObjective::upper_bound(std::size_t first, std::size_t last) const {
  const double least_step = last == kNoEnd ? startup_cost_ : step(last);
  return slice_ * (1 - lower_mean_of_products(risk_, first, workers_, least_step));
}

double SliceObjective::upper_bound(const Chunking& chunking) const {
  const std::size_t n = chunking.count();
  if (chunking.uniform() || n == 1) {
    // Of a given number per unit the chunks may differ from equal parts of the slice by 1e-9, and so may their ends.
    const double chunk = std::min(chunking.size(), slice_ / static_cast<double>(n));
    const double stray = chunking.uniform() ? std::abs(slice_ - static_cast<double>(n) * chunking.size()) : 0;
    return std::min(slice_, slice_ * (1 - lower_mean_of_products(risk_, n, workers_, chunk + startup_cost_)) + stray);
  }
  // The loss of the full chunks. All n chunks together take the time of n chunks of the mean size, and the smaller one
  // replaces at most a full one.
  const double full = chunking.elapsed(n - 1, false);
  const double least_step = std::min(chunking.size(), slice_ / static_cast<double>(n)) + startup_cost_;
  return slice_ - full * lower_mean_of_products(risk_, n - 1, workers_, least_step);
}

double SliceObjective::upper_bound_of_all() const {
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
  add(1, kNoEnd);
  for (int split = 0; split < kSplits && ranges.top().first < ranges.top().last; ++split) {
    const auto [first, last, bound] = ranges.top();
    ranges.pop();
    const auto middle =
        last == kNoEnd ? 4 * first
                       : static_cast<std::size_t>(std::sqrt(static_cast<double>(first) * static_cast<double>(last)));
    add(first, middle);
    add(middle + 1, last);
  }
  return std::min(slice_, ranges.top().bound);
}

std::size_t slice_chunk_limit(const WorksharingProblem& problem, Granularity::Kind kind) {
  const std::size_t paper = granularity_limit(problem.local_load(), problem.startup_cost);
  constexpr std::size_t kMost = 500'000;
  constexpr std::size_t kMostTasks = 100 * kMost;  // each worker of a coterie runs all of its chunks
  const std::size_t limit = std::clamp<std::size_t>(kMostTasks / problem.workers, 1, kMost);
  return kind == Granularity::Kind::kAutoPaper ? std::min(paper, limit) : limit;
}

GranularityChoice choose_slice_chunks(SliceObjective& objective, const WorksharingProblem& problem,
                                      Granularity::Kind kind) {
  const std::size_t limit = slice_chunk_limit(problem, kind);
  if (kind == Granularity::Kind::kAutoPaper)
    return binary_search_granularity(limit, [&](std::size_t n) { return objective.expected(n); });
  return best_granularity(
      limit, {.expected = [&](std::size_t n, double enough) { return objective.expected(n, enough); },
              .steps = [&](std::size_t n) { return objective.steps(n); },
              .first = first_count_of_use(*problem.risk, objective.slice(), problem.startup_cost, limit),
              .at_most_from = [&](std::size_t n) { return objective.upper_bound(n, SliceObjective::kNoEnd); },
              .whole = objective.slice(),
              .in_progress = static_cast<double>(objective.workers()) * objective.slice(),
              .stride = objective.workers(),
              .shape = shape_under(*problem.risk, objective.slice())});
}

}  // namespace coterie::heuristics
