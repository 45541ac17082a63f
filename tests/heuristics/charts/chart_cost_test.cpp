#include "heuristics/charts/chart_cost.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/infinity.hpp"
#include "heuristics/charts/performance_constant.hpp"
#include "tests/heuristics/charts/chart_testing.hpp"

namespace coterie::heuristics {
namespace {

TEST(ChartCost, IsThePerformanceConstantUnderLinearRisk) {
  for (const auto& [g, m] : {std::pair{4u, 5u}, {100u, 10u}, {2u, 500u}, {300u, 20u}}) {
    const GroupChart chart = snake_chart(g, m);
    EXPECT_NEAR(log_chart_cost(chart, linear_risk_at_steps(g * m)), log_of(performance_constant(chart)), 1e-11);
  }
}

TEST(ChartCost, WeighsGroupsAndVanishesWithoutRisk) {
  const std::vector<double> risk = {0, 0.5, 0.5, 1};
  const std::vector<double> weights = {1, 0.5};

  EXPECT_NEAR(std::exp(log_chart_cost({2, 2, {1, 2, 3, 4}}, risk, weights)), 0 * 0.5 + 0.5 * (0.5 * 1), 1e-15);
  EXPECT_EQ(log_chart_cost({2, 2, {1, 2, 3, 4}}, {{0, 0, 1, 1}}), -kInfinity);
}

TEST(ChartCost, SurvivesProductsBeyondADouble) {
  const std::vector<double> risk(4000, 1e-300);

  EXPECT_NEAR(log_chart_cost(cyclic_chart(2000, 2), risk), 2000 * std::log(1e-300) + std::log(2.0), 1e-6);
}

TEST(ChartCost, SurvivesOneTinyRiskAfterModerateOnes) {
  const std::vector<double> risk = {1e-99, 1e-250, 1e-60, 1e-308, 0.5};

  EXPECT_NEAR(log_chart_cost(cyclic_chart(5, 1), risk), -717 * std::log(10.0) - std::log(2.0), 1e-11);
}

TEST(ChartCostBound, IsTheOptimumForTwoExecutions) {
  for (const std::size_t m : {1u, 2u, 7u, 500u}) {
    const auto risk = linear_risk_at_steps(2 * m);
    EXPECT_NEAR(log_chart_cost_bound(2, m, risk), log_chart_cost(reverse_chart(2, m), risk), 1e-12);
  }
}

// Reference: the least cost by enumeration of all charts.
TEST(ChartCostBound, NeverExceedsTheLeastCost) {
  for (const auto& [g, m] : {std::pair<std::size_t, std::size_t>{2, 3}, {2, 5}, {3, 2}, {3, 3}, {3, 4}, {4, 3}, {6, 2}})
    for (const auto& kind : test_risks())
      for (std::size_t real = 1; real <= g; ++real) {
        const auto risk = risk_at_steps(kind, g * m);
        const auto weights = last_group_weight(g, m, real);
        const double least = least_cost_by_enumeration(g, m, risk, weights);
        const double bound = std::exp(log_chart_cost_bound(g, m, risk, weights));
        ASSERT_LE(bound, least * (1 + 1e-12)) << kind.name << " " << g << " x " << m << ", " << real << " real";
        if (real == g && least > 0) {
          EXPECT_GE(bound, least * 0.7) << kind.name << " " << g << " x " << m;
        }
        if (least == 0) {
          EXPECT_EQ(bound, 0) << kind.name;
        }
      }
}

RC_GTEST_PROP(ChartCostBound, LiesBetweenTheMeanBoundAndEveryChart, ()) {
  const auto g = *rc::gen::inRange<std::size_t>(1, 12);
  const auto m = *rc::gen::inRange<std::size_t>(1, 30);
  auto steps = cyclic_chart(g, m).steps;
  for (std::size_t k = steps.size(); k > 1; --k) std::swap(steps[k - 1], steps[*rc::gen::inRange<std::size_t>(0, k)]);
  const auto risk = linear_risk_at_steps(g * m);
  const double bound = log_chart_cost_bound(g, m, risk);

  RC_ASSERT(log_chart_cost({g, m, steps}, risk) >= bound - 1e-12);
  RC_ASSERT(bound >= log_least_performance_constant(g, m) - 1e-12);
}

RC_GTEST_PROP(ChartCost, DoesNotSeeTheOrderOfColumns, ()) {
  const auto g = *rc::gen::inRange<std::size_t>(1, 9);
  const auto m = *rc::gen::inRange<std::size_t>(2, 9);
  const auto shift = *rc::gen::inRange<std::size_t>(1, m);
  const GroupChart chart = greedy_chart(g, m, linear_risk_at_steps(g * m));
  GroupChart turned = chart;
  for (std::size_t i = 0; i < g; ++i)
    for (std::size_t j = 0; j < m; ++j) turned.steps[i * m + j] = chart.at(i, (j + shift) % m);

  RC_ASSERT(performance_constant(turned) == performance_constant(chart));
}

TEST(ZeroRisk, FreesAsManyColumnsAsThereAreSafeSteps) {
  const auto split = split_off_zero_risk(3, 4, std::vector<double>{0, 0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1});
  EXPECT_EQ(split.free_columns, 2u);
  EXPECT_EQ(split.first_step, 3u);
  EXPECT_EQ(split.costly_columns, 2u);
  EXPECT_EQ(split_off_zero_risk(3, 4, std::vector<double>(12, 0.0)).costly_columns, 0u);
}

}  // namespace
}  // namespace coterie::heuristics
