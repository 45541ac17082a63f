#include "heuristics/near_optimal_plans.hpp"

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
Plan better_of(Plan first, Plan second) {
  return second.expected_work > first.expected_work ? std::move(second) : std::move(first);
}

}  // namespace

Plan refined_plan(PlanBook& book) {
  const Plan& greedy = book.get(alone<greedy_plan>);
  return better_of(greedy, rechart(book.problem(), greedy, refined_chart));
}

Plan optimal_plan(PlanBook& book) {
  const Plan& greedy = book.get(alone<greedy_plan>);
  return better_of(greedy, rechart(book.problem(), greedy, proven_chart));
}

}  // namespace coterie::heuristics
