#include "heuristics/worksharing/unequal_groups.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/empirical_risk.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr long_trace() {
  std::vector<double> durations;
  for (int i = 0; i < 4000; ++i) durations.push_back(risk("weibull(shape=0.5, scale=1)")->quantile((i + 0.5) / 4000));
  const double longest = durations.back();
  for (double& duration : durations) duration /= longest;
  return std::make_shared<EmpiricalRisk>(durations, "trace");
}

/// Expected work of the slice straight from its definition: finish times step by step, groups by their workers.
double by_definition(std::size_t workers, const UnequalSlice& slice, double startup, const Risk& law) {
  std::vector<double> lost(slice.sizes.size(), 1.0);
  double clock = 0;
  for (const std::uint32_t group : slice.order) lost[group] *= law.probability(clock += slice.sizes[group] + startup);
  double sum = 0;
  for (std::size_t j = 0; j < lost.size(); ++j) sum += static_cast<double>(workers) * slice.sizes[j] * (1 - lost[j]);
  return sum;
}

RC_GTEST_PROP(UnequalGroups, RunEveryGroupOnceARowTheRiskiestFirst, ()) {
  const std::size_t workers = *rc::gen::inRange<std::size_t>(1, 8);
  std::vector<double> sizes;
  for (const int size : *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 60))))
    sizes.push_back(size / 400.0);
  const RiskPtr law = make_linear_risk();
  const UnequalSlice slice = greedy_unequal_slice(workers, sizes, 0.01, *law);

  RC_ASSERT(slice.order.size() == workers * sizes.size());
  std::vector<double> lost(sizes.size(), 1.0);
  long double clock = 0;  // rounded once: risks that are equal on paper are so here if they are there
  for (std::size_t row = 0; row < workers; ++row) {
    std::set<std::uint32_t> seen;
    const std::vector<double> before = lost;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const std::uint32_t group = slice.order[row * sizes.size() + j];
      RC_ASSERT(seen.insert(group).second);
      if (row > 0 && j > 0) {
        RC_ASSERT(before[slice.order[row * sizes.size() + j - 1]] >= before[group]);
      }
      clock += static_cast<long double>(sizes[group]) + 0.01;
      lost[group] *= law->probability(static_cast<double>(clock));
    }
  }
  RC_ASSERT(std::abs(slice.expected - by_definition(workers, slice, 0.01, *law)) < 1e-12);
}

TEST(UnequalGroups, OfEqualSizesAreTheGreedyChart) {
  const RiskPtr law = make_linear_risk();
  SliceObjective greedy(4, 0.8, 0.01, *law, greedy_chart);

  EXPECT_NEAR(greedy_unequal_slice(4, std::vector(5, 0.04), 0.01, *law).expected, greedy.expected(20), 1e-14);
}

TEST(UnequalGroups, GiveEveryWorkerOfACoterieEveryChunkOnce) {
  for (const RiskPtr& law : {make_linear_risk(), risk("weibull(shape=0.6, scale=0.3)"), long_trace()}) {
    const WorksharingProblem problem{7, 3, 0.01, law, 1.0, 3};  // coteries of 3, 2 and 2
    const auto slicings = unequal_slicings(problem, {Granularity::Kind::kAuto, 0}, {{3, {{3, 6}, {2, 6}}}});
    ASSERT_EQ(slicings.size(), 1u);
    const Plan plan = unequal_group_plan(problem, slicings.front());
    EXPECT_NEAR(plan.expected_work, slicings.front().expected, 1e-12);
    std::map<std::size_t, std::set<std::size_t>> workers_of;
    for (std::size_t w = 0; w < 7; ++w)
      for (const Task& task : plan.schedule->tasks(w).tasks) ASSERT_TRUE(workers_of[task.first_piece].insert(w).second);
    ASSERT_EQ(workers_of.size(), plan.schedule->pieces());
    const std::set<std::set<std::size_t>> coteries = {{0, 1, 2}, {3, 4}, {5, 6}};
    for (const auto& [piece, workers] : workers_of) ASSERT_TRUE(coteries.contains(workers)) << piece;
    EXPECT_LE(plan.schedule->deployed_work(), problem.work * (1 + 1e-12));
    for (std::size_t w = 0; w < 7; ++w) {
      const TaskList list = plan.schedule->tasks(w);
      const FinishTimes exact = back_to_back(list.tasks, plan.schedule->piece_sizes(), problem.startup_cost);
      for (std::size_t k = 0; k < list.finish.size(); ++k) ASSERT_NEAR(list.finish[k], exact[k], 1e-12);
    }
  }
}

// Unequal chunks pay where the hazard falls (3.4, 1.3 % for one worker at these start-up costs); thinning a trace of
// 4000 jumps out for their search must not cost what they gain.
TEST(UnequalGroups, GainUnderAFallingHazardAlsoOnLargeTraces) {
  for (const auto& [startup, gain] : {std::pair{0.01, 1.015}, {0.001, 1.008}}) {
    const WorksharingProblem problem{10, 20, startup, long_trace(), 1.0, 0};
    const auto expected = [&](const char* name) {
      return worksharing_strategy(name).build(problem, {Granularity::Kind::kAuto, 0}).expected_work;
    };
    const double best = expected("best");
    EXPECT_GT(best, gain * expected("no-replication")) << startup;
    EXPECT_GE(best, expected("single-optimal") * (1 - 1e-12)) << startup;  // which searches the whole trace
  }
}

}  // namespace
}  // namespace coterie::heuristics
