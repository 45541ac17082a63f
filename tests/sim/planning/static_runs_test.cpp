#include "sim/planning/static_runs.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"
#include "core/infinity.hpp"
#include "sim/planning/listening.hpp"

namespace coterie::sim {
namespace {

SampledTimes lives_of(const std::vector<double>& times) {
  std::vector<RiskPtr> risks;
  for (const double time : times) risks.push_back(std::make_shared<EmpiricalRisk>(std::vector{time}, "known"));
  return {risks, times.size(), 0, 1, 1};
}

/// Two pieces; the first worker runs both, the second one the second.
Schedule two_lists() {
  TaskLists lists;
  lists.add({0, 1});
  lists.add({1, 1});
  lists.close(std::vector{0.5, 1.1});
  lists.add({1, 1});
  lists.close(std::vector{0.6});
  return {{0, 0.4, 1}, std::move(lists)};
}

TEST(StaticRuns, AllIsDoneWhenTheLastPieceIsForTheFirstTime) {
  struct Case {
    double first, second, makespan, cost;
  };
  constexpr double kNever = kInfinity;
  // Prices 1 and 10. What ends at the time of an interruption is done.
  for (const Case& one :
       {Case{9, 9, 0.6, 1.1 + 6}, Case{9, 0.5, 1.1, 1.1 + 5}, Case{0.7, 9, 0.6, 0.7 + 6},
        Case{0.7, 0.5, kNever, 0.7 + 5}, Case{0.5, 0.6, 0.6, 0.5 + 6}, Case{0.4, 9, kNever, 0.4 + 6}}) {
    const StaticRuns runs = run_static(two_lists(), lives_of({one.first, one.second}), 3, std::vector{1.0, 10.0});
    ASSERT_EQ(runs.makespans.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(runs.makespans[i], one.makespan) << one.first << ' ' << one.second;
      EXPECT_NEAR(runs.costs[i], one.cost, 1e-9);
    }
  }
}

/// Work that nobody has is never done.
TEST(StaticRuns, WhatIsLeftOutIsNeverDone) {
  TaskLists lists;
  lists.add({0, 1});
  lists.close(std::vector{0.5});
  const Schedule schedule({0, 0.4, 1}, std::move(lists));
  EXPECT_EQ(run_static(schedule, lives_of({9}), 1, std::vector{1.0}).makespans[0], kInfinity);
  TaskLists shorter;
  shorter.add({0, 1});
  shorter.close(std::vector{0.5});
  EXPECT_EQ(run_static({{0, 0.4}, std::move(shorter)}, lives_of({9}), 1, std::vector{1.0}).makespans[0], kInfinity);
  TaskLists none;
  none.close(std::vector<double>{});
  const Schedule nothing({0}, std::move(none));
  EXPECT_EQ(run_static(nothing, lives_of({9}), 1, std::vector{1.0}).makespans[0], kInfinity);
  EXPECT_EQ(copies_of(nothing).most, 0u);
}

/// The model dispatch runs the same lists event by event.
TEST(StaticRuns, AgreeWithTheModelDispatch) {
  for (const char* risk : {"exponential(rate=2)", "weibull(shape=0.6, scale=0.5)", "linear(kappa=1)"}) {
    PlanQuestion question;
    question.workers = 5;
    question.startup_cost = 0.01;
    question.lives.planned = make_parametric_risk(Expression::parse(risk));
    question.lives.risks = {question.lives.planned};
    const PlanAnswer plan = answer(question);
    const ListeningOption heard = listen(plan, {0, 0.8, 0.6, 777, {}}).options.front();
    const StaticRuns runs = run_static(*plan.choice().plan.schedule,
                                       {question.lives.risks, 5, question.startup_cost, question.seed, plan_identity()},
                                       777, std::vector{1.0});
    const DoneTimes done = done_times(runs.makespans, 0.6);
    EXPECT_EQ(done.half, heard.done.half);
    EXPECT_EQ(done.confident, heard.done.confident);
    EXPECT_NEAR(std::accumulate(runs.costs.begin(), runs.costs.end(), 0.0) / 777, heard.machine_time, 1e-9);
  }
}

}  // namespace
}  // namespace coterie::sim
