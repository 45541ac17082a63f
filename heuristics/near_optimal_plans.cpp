#include "heuristics/near_optimal_plans.hpp"

#include <algorithm>

#include "heuristics/group_schedule.hpp"
#include "heuristics/optimal_chart.hpp"
#include "heuristics/refined_chart.hpp"

namespace coterie::heuristics {
namespace {

GroupChart proven_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                        std::span<const double> weights) {
  return optimal_chart(executions, groups, risk_at_step, weights);
}

/// Charts are compared as if phantoms took their steps; skipping them can, rarely, turn the order round.
Plan greedy_or(PlanBook& book, WeightedChartBuilder chart) {
  const Plan& greedy = book.get(alone<greedy_plan>);
  if (greedy.coteries.empty()) return greedy;  // lone workers, each with its best chunks
  const SlicePlans greedy_slices = slices_of(greedy);
  const SlicePlans slices = rechart(book.problem(), greedy_slices, chart, book.granularity().memory);
  const bool same = std::all_of(slices.begin(), slices.end(), [&](const auto& slice) {
    return slice.second.chart.steps == greedy_slices.at(slice.first).chart.steps;
  });
  if (same) return greedy;
  Plan other = to_plan(book.problem(), slices);
  other.counts_considered = greedy.counts_considered;
  return other.expected_work > greedy.expected_work ? other : greedy;
}

}  // namespace

Plan refined_plan(PlanBook& book) { return greedy_or(book, refined_chart); }

Plan optimal_plan(PlanBook& book) { return greedy_or(book, proven_chart); }

}  // namespace coterie::heuristics
