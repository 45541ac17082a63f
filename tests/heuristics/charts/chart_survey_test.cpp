#include "heuristics/charts/chart_survey.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace coterie::heuristics {
namespace {

void expect_printed(double computed, double printed, int digits, const std::string& what) {
  const double unit = std::pow(10.0, -digits);
  EXPECT_NEAR(std::round(computed / unit) * unit, printed, unit * 1e-6) << what << ": computed " << computed;
}

void expect_printed(const Statistics& computed, const Statistics& printed, const std::string& what) {
  expect_printed(computed.least, printed.least, 3, what + " min");
  expect_printed(computed.greatest, printed.greatest, 3, what + " max");
  expect_printed(computed.mean, printed.mean, 3, what + " avg");
  expect_printed(computed.deviation, printed.deviation, 3, what + " stdv");
}

// [worksharing-2013, Table 4]: all 63 cells, over 4043 sizes (the paper says 4032; errata, group schedules 1).
TEST(ChartSurvey, IsTable4) {
  const auto sizes = table4_sizes();
  ASSERT_EQ(sizes.size(), 4043u);

  const auto rows = survey_charts(sizes, SurveyDepth::kPaper);

  ASSERT_EQ(rows.size(), printed_table4().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& printed = printed_table4()[r];
    ASSERT_EQ(rows[r].name, printed.name);
    expect_printed(rows[r].relative, printed.relative, printed.name + " relative");
    expect_printed(rows[r].absolute, printed.absolute, printed.name + " absolute");
    expect_printed(rows[r].success_rate, printed.success_rate, 2, printed.name + " success");
  }
}

// COTERIE_FULL=1 takes all sizes (some 25 s), else every 20th.
TEST(ChartSurvey, RefinedComesNearTheLowerBound) {
  const auto all = table4_sizes();
  const bool full = std::getenv("COTERIE_FULL") != nullptr;
  std::vector<ChartSize> sizes;
  for (std::size_t k = 0; k < all.size(); k += full ? 1 : 20) sizes.push_back(all[k]);

  const auto rows = survey_charts(sizes, SurveyDepth::kRefined);

  const auto& best = rows[6];
  const auto& refined = rows[7];
  const auto& bound = rows[8];
  ASSERT_EQ(refined.name, "refined");
  ASSERT_EQ(bound.name, "lower bound");
  EXPECT_EQ(refined.success_rate, 100);
  EXPECT_LE(refined.relative.greatest, 1 + 1e-12);
  EXPECT_GE(refined.better_rate, 80);
  EXPECT_LE(refined.absolute.mean, bound.absolute.mean + 2e-5);
  EXPECT_LE(refined.absolute.mean, best.absolute.mean);
  if (full) {
    EXPECT_LE(refined.absolute.mean, 1.0347);
    EXPECT_GE(refined.better_rate, 86);
  }
}

// Of two executions refined reaches the bound.
TEST(ChartSurvey, NoLastDigitPutsTheLowerBoundAboveACost) {
  std::vector<ChartSize> sizes;
  for (std::size_t columns = 2; columns <= 500; ++columns) sizes.push_back({2, columns});
  const auto rows = survey_charts(sizes, SurveyDepth::kRefined);
  EXPECT_LE(rows[8].absolute.mean, rows[7].absolute.mean);
  EXPECT_GE(rows[8].absolute.mean, rows[7].absolute.mean * (1 - 1e-12));
}

TEST(Statistics, AreThoseOfThePopulation) {
  const Statistics statistics = statistics_of({1, 2, 3, 6});
  EXPECT_EQ(statistics.least, 1);
  EXPECT_EQ(statistics.greatest, 6);
  EXPECT_EQ(statistics.mean, 3);
  EXPECT_DOUBLE_EQ(statistics.deviation, std::sqrt(14.0 / 4));
}

}  // namespace
}  // namespace coterie::heuristics
