#include "heuristics/charts/optimal_chart.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/performance_constant.hpp"
#include "tests/heuristics/charts/chart_testing.hpp"

namespace coterie::heuristics {
namespace {

// [worksharing-2013, Table 3(g)]
TEST(OptimalChart, ReachesTheConstantOfTable3) {
  const GroupChart chart = optimal_chart(4, 5, linear_risk_at_steps(20));

  EXPECT_TRUE(is_chart_with_ascending_columns(chart));
  EXPECT_EQ(performance_constant(chart), 23780);
}

// Proven by integer programming.
TEST(OptimalChart, ReachesTheProvenOptimum) {
  EXPECT_EQ(performance_constant(optimal_chart(4, 6, linear_risk_at_steps(24))), 55412);
}

// Reference: enumeration of all charts.
TEST(OptimalChart, IsTheLeastOfAllCharts) {
  for (const auto& [g, m] :
       {std::pair<std::size_t, std::size_t>{1, 4}, {2, 4}, {2, 6}, {3, 2}, {3, 3}, {3, 4}, {4, 3}, {5, 2}, {6, 2}})
    for (const auto& kind : test_risks())
      for (std::size_t real = 1; real <= g; ++real) {
        const auto risk = risk_at_steps(kind, g * m);
        const auto weights = last_group_weight(g, m, real);
        const GroupChart chart = optimal_chart(g, m, risk, weights);
        ASSERT_TRUE(is_chart_with_ascending_columns(chart));
        const double least = least_cost_by_enumeration(g, m, risk, weights);
        ASSERT_NEAR(plain_cost(chart, risk, weights), least, 1e-10 * least)
            << kind.name << " " << g << " x " << m << ", " << real << " real";
      }
}

TEST(OptimalChart, IsTheLeastOfAllChartsForAnyWeights) {
  const std::vector<double> weights = {0.25, 1, 0.5, 0.75};
  for (const auto& kind : test_risks()) {
    const auto risk = risk_at_steps(kind, 12);
    const double least = least_cost_by_enumeration(3, 4, risk, weights);
    EXPECT_NEAR(plain_cost(optimal_chart(3, 4, risk, weights), risk, weights), least, 1e-10 * least) << kind.name;
  }
}

// The terms are far apart, so that the cost is far from the mean of their logarithms.
TEST(OptimalChart, IsTheLeastWhereTheFirstStepIsHardlyAtRisk) {
  for (const std::vector<double>& risk :
       {std::vector{1e-12, .05, .12, .2, .22, .27, .33, .59, .72, .93, .96, .97},
        std::vector{1e-6, .5, .55, .6, .62, .67, .73, .79, .82, .93, .96, .97},
        std::vector{1e-200, 1e-100, .12, .2, .22, .27, .33, .59, .72, .93, .96, .97}}) {
    const double least = least_cost_by_enumeration(3, 4, risk, {});
    EXPECT_NEAR(plain_cost(optimal_chart(3, 4, risk), risk, {}), least, 1e-10 * least) << risk.front();
  }
}

TEST(OptimalChart, OfTwoExecutionsIsProvenByTheBoundAtAnySize) {
  EXPECT_EQ(performance_constant(optimal_chart(2, 500, linear_risk_at_steps(1000))),
            performance_constant(reverse_chart(2, 500)));
}

// The bound lies below the optimum here: ln Pr(k) + ln Pr(n + 1 - k) falls.
TEST(OptimalChart, OfTwoExecutionsIsReverseAlsoWhereTheBoundIsBelowIt) {
  const std::vector<double> few = {std::exp(-2), std::exp(-1.9), std::exp(-1), 1};
  EXPECT_LT(log_chart_cost_bound(2, 2, few), log_chart_cost(reverse_chart(2, 2), few) - 0.05);
  std::vector<double> many(200);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = i < 100 ? 0.1 + 1e-6 * static_cast<double>(i) : 0.5 + static_cast<double>(i) / 1e3;
  EXPECT_EQ(log_chart_cost(optimal_chart(2, 100, many), many), log_chart_cost(reverse_chart(2, 100), many));
  const std::vector<double> alike(100, 0.5);
  EXPECT_EQ(log_chart_cost(optimal_chart(2, 100, many, alike), many, alike),
            log_chart_cost(reverse_chart(2, 100), many, alike));
}

TEST(OptimalChart, OfStepsWithoutRiskCostsNothing) {
  const std::vector<double> none(128, 0.0);
  EXPECT_EQ(log_chart_cost(optimal_chart(8, 16, none), none), -INFINITY);
}

TEST(OptimalChart, GivesUpAlsoWhereNoColumnIsAllowed) {
  std::vector<double> risk(64, 0.6);
  std::fill_n(risk.begin(), 33, 0.3);
  EXPECT_THROW(optimal_chart(32, 2, risk, {}, 1000), InputError);  // columns of 16 and 17 low risks: half a step apart
}

TEST(OptimalChart, RefusesWhatItCannotProve) {
  EXPECT_THROW(optimal_chart(5, 40, linear_risk_at_steps(200)), InputError);
  EXPECT_THROW(optimal_chart(4, 7, linear_risk_at_steps(28), {}, 10), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
