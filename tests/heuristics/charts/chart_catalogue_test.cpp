#include "heuristics/charts/chart_catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

#include "heuristics/charts/performance_constant.hpp"

namespace coterie::heuristics {
namespace {

TEST(ChartCatalogue, NamesEachChartOnce) {
  std::set<std::string> names;
  for (const auto& row : all_charts()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  EXPECT_EQ(paper_charts().size(), 6u);
  EXPECT_EQ(names.size(), 9u);
}

// [worksharing-2013, Table 3]: fat-snake is the best of the six for g = 4, n = 20.
TEST(BestChart, IsTheBestOfTheSix) {
  EXPECT_EQ(performance_constant(best_chart(4, 5, linear_risk_at_steps(20))), 24276);
  for (std::size_t g = 2; g <= 30; g += 4)
    for (std::size_t m = 2; m <= 30; m += 7) {
      const auto risk = linear_risk_at_steps(g * m);
      const Integer best = performance_constant(best_chart(g, m, risk));
      for (const auto& row : paper_charts()) ASSERT_LE(best, performance_constant(row.build(g, m, risk))) << row.name;
    }
}

}  // namespace
}  // namespace coterie::heuristics
