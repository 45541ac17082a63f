#include "heuristics/charts/group_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coterie::heuristics {
namespace {

using Steps = std::vector<std::uint32_t>;

std::uint64_t constant_by_definition(const GroupChart& chart) {
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < chart.groups; ++j) {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < chart.executions; ++i) product *= chart.at(i, j);
    sum += product;
  }
  return sum;
}

// [worksharing-2013, Table 3]: n = 20, g = 4.
TEST(GroupChart, AreTheChartsOfTable3) {
  const auto risk = linear_risk_at_steps(20);

  EXPECT_EQ(cyclic_chart(4, 5).steps, (Steps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
  EXPECT_EQ(reverse_chart(4, 5).steps, (Steps{1, 2, 3, 4, 5, 10, 9, 8, 7, 6, 15, 14, 13, 12, 11, 20, 19, 18, 17, 16}));
  EXPECT_EQ(mirror_chart(4, 5).steps, (Steps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 14, 13, 12, 11, 20, 19, 18, 17, 16}));
  EXPECT_EQ(snake_chart(4, 5).steps, (Steps{1, 2, 3, 4, 5, 10, 9, 8, 7, 6, 11, 12, 13, 14, 15, 20, 19, 18, 17, 16}));
  EXPECT_EQ(fat_snake_chart(4, 5).steps,
            (Steps{1, 2, 3, 4, 5, 14, 12, 10, 8, 6, 15, 13, 11, 9, 7, 16, 17, 18, 19, 20}));
  EXPECT_EQ(greedy_chart(4, 5, risk).steps,
            (Steps{1, 2, 3, 4, 5, 10, 9, 8, 7, 6, 15, 14, 13, 12, 11, 20, 19, 18, 16, 17}));
}

TEST(GroupChart, HaveThePerformanceConstantsOfTable3) {
  const auto risk = linear_risk_at_steps(20);

  EXPECT_EQ(constant_by_definition(cyclic_chart(4, 5)), 34104u);
  EXPECT_EQ(constant_by_definition(reverse_chart(4, 5)), 24396u);
  EXPECT_EQ(constant_by_definition(mirror_chart(4, 5)), 27284u);
  EXPECT_EQ(constant_by_definition(snake_chart(4, 5)), 25784u);
  EXPECT_EQ(constant_by_definition(fat_snake_chart(4, 5)), 24276u);
  EXPECT_EQ(constant_by_definition(greedy_chart(4, 5, risk)), 24390u);
}

// [worksharing-2013, Table 2]: reverse for n = 12, g = 4.
TEST(GroupChart, ReverseIsTable2) {
  EXPECT_EQ(reverse_chart(4, 3).steps, (Steps{1, 2, 3, 6, 5, 4, 9, 8, 7, 12, 11, 10}));
}

TEST(GroupChart, HoldEveryStepOnce) {
  for (const ChartBuilder build :
       {cyclic_chart, reverse_chart, mirror_chart, snake_chart, fat_snake_chart, greedy_chart})
    for (std::size_t g = 1; g <= 9; ++g)
      for (std::size_t m = 1; m <= 7; ++m) {
        Steps steps = build(g, m, linear_risk_at_steps(g * m)).steps;
        std::sort(steps.begin(), steps.end());
        Steps all(g * m);
        std::iota(all.begin(), all.end(), 1u);
        ASSERT_EQ(steps, all) << g << " x " << m;
      }
}

TEST(GroupChart, GreedyGivesTheEarliestStepToTheRiskiestGroup) {
  const std::vector<double> risk = {0, 0, 0.1, 0.5, 0.5, 0.9};  // steps 1 and 2 are safe

  EXPECT_EQ(greedy_chart(2, 3, risk).steps, (Steps{1, 2, 3, 5, 6, 4}));
}

TEST(GroupChart, GreedyDoesNotOverflowOnLargeCharts) {
  const auto chart = greedy_chart(100, 10, linear_risk_at_steps(1000));

  // The columns must be balanced: sums of logarithms within a per cent of each other.
  std::vector<double> logs(10, 0);
  for (std::size_t i = 0; i < 100; ++i)
    for (std::size_t j = 0; j < 10; ++j) logs[j] += std::log(chart.at(i, j));
  const auto [least, most] = std::minmax_element(logs.begin(), logs.end());
  EXPECT_LT(*most - *least, 0.01);
}

// 1 / risk overflows here, and the chart is that of the same risks times a power of two.
TEST(GreedyChart, KnowsRisksOfTheSmallestNumbers) {
  std::vector<double> risk = linear_risk_at_steps(12);
  const GroupChart chart = greedy_chart(3, 4, risk);
  for (double& value : risk) value *= 0x1p-1074;
  EXPECT_EQ(greedy_chart(3, 4, risk).steps, chart.steps);
}

}  // namespace
}  // namespace coterie::heuristics
