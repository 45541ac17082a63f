#include "heuristics/worksharing/near_optimal_plans.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/partition.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr any_risk() {
  const char* const laws[] = {"linear(kappa=1)", "linear(kappa=0.4)", "weibull(shape=0.6, scale=0.5)",
                              "exponential(rate=2)"};
  return make_parametric_risk(Expression::parse(laws[*rc::gen::inRange(0, 4)]));
}

WorksharingProblem any_problem() {
  const auto workers = *rc::gen::inRange<std::size_t>(1, 13);
  const double work = *rc::gen::inRange(1, 60) / 10.0;
  const double startup = *rc::gen::inRange(0, 20) / 400.0;
  return {workers, work, startup, any_risk(), 1.0, *rc::gen::inRange<std::size_t>(0, workers + 1)};
}

/// Rows are permutations: in each of its g executions of the chart a row of a chart holds every group once, each step
/// of the whole chart is taken once, and so every worker of a coterie runs every chunk of its slice exactly once.
void check_coteries(const Plan& plan) {
  std::size_t next_worker = 0;
  for (const Coterie& coterie : plan.coteries) {
    RC_ASSERT(coterie.first_worker == next_worker);
    next_worker += coterie.workers;
    const GroupChart& chart = coterie.chart;
    std::vector<bool> taken(chart.steps.size(), false);
    for (const std::uint32_t step : chart.steps) {
      RC_ASSERT(step >= 1 && step <= taken.size() && !taken[step - 1]);
      taken[step - 1] = true;
    }
    for (std::size_t w = coterie.first_worker; w < next_worker; ++w) {
      std::vector<std::size_t> runs(coterie.chunking.count(), 0);
      for (const Task& task : plan.schedule->tasks(w).tasks) {
        RC_ASSERT(task.first_piece >= coterie.first_piece && task.pieces == 1U);
        RC_ASSERT(task.first_piece - coterie.first_piece < runs.size());
        ++runs[task.first_piece - coterie.first_piece];
      }
      for (const std::size_t count : runs) RC_ASSERT(count == 1U);
    }
  }
  RC_ASSERT(next_worker == plan.schedule->workers());
}

RC_GTEST_PROP(RefinedPlan, RunsEveryChunkOnEveryWorkerOfItsCoterieAndIsNeverBelowGreedy, ()) {
  const Granularity::Kind kind = *rc::gen::element(Granularity::Kind::kPerUnit, Granularity::Kind::kPerSlice);
  const WorksharingProblem problem = any_problem();
  PlanCache cache(problem, {kind, *rc::gen::inRange<std::size_t>(1, 40)});
  const Plan& refined = cache.get(refined_plan);
  const Plan& greedy = cache.get(alone<greedy_plan>);

  check_coteries(refined);
  check_coteries(greedy);
  RC_ASSERT(refined.expected_work >= greedy.expected_work);
  RC_ASSERT(refined.schedule->boundaries() == greedy.schedule->boundaries());
  for (const Coterie& coterie : refined.coteries) {
    const std::size_t g = coterie.workers;
    const auto linear = linear_risk_at_steps(g * coterie.chart.groups);
    RC_ASSERT(log_chart_cost(coterie.chart, linear) >= log_chart_cost_bound(g, coterie.chart.groups, linear) - 1e-12);
  }
}

RC_GTEST_PROP(OptimalPlan, IsNeverBelowRefinedWhereItIsProven, ()) {
  const WorksharingProblem problem{*rc::gen::inRange<std::size_t>(1, 5), 1, 0.01, make_linear_risk(), 1.0, 1};
  PlanCache cache(problem, {Granularity::Kind::kPerSlice, problem.workers * *rc::gen::inRange<std::size_t>(1, 5)});

  RC_ASSERT(cache.get(optimal_plan).expected_work >= cache.get(refined_plan).expected_work * (1 - 1e-14));
}

}  // namespace
}  // namespace coterie::heuristics
