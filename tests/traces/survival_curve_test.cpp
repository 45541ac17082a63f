#include "traces/survival_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coterie::traces {
namespace {

TEST(SurvivalCurve, OfTheTextbookIsThePublishedOne) {
  // Freireich et al. 1963, the treated group: survival and at risk as in Kalbfleisch and Prentice 1980 and Collett
  // 2003.
  std::vector<Duration> values;
  for (const double week : {6, 6, 6, 7, 10, 13, 16, 22, 23}) values.push_back({week, true});
  for (const double week : {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35}) values.push_back({week, false});
  const auto curve = survival_curve(Durations(std::move(values)));
  const std::vector<std::array<double, 3>> published = {{6, 21, 0.857},  {7, 17, 0.807},  {10, 15, 0.753},
                                                        {13, 12, 0.690}, {16, 11, 0.627}, {22, 7, 0.538},
                                                        {23, 6, 0.448}};
  ASSERT_EQ(curve.size(), published.size());
  for (std::size_t k = 0; k < curve.size(); ++k) {
    EXPECT_EQ(curve[k].time, published[k][0]);
    EXPECT_EQ(curve[k].at_risk, published[k][1]);
    EXPECT_NEAR(curve[k].survival, published[k][2], 5e-4);
  }
  // survfit(..., conf.type = "log-log") of R at week 23: 0.188 to 0.680.
  EXPECT_NEAR(curve.back().low, 0.188, 5e-4);
  EXPECT_NEAR(curve.back().high, 0.680, 5e-4);
}

TEST(SurvivalCurve, KnowsNoBandWhereNobodyIsLeft) {
  const auto curve = survival_curve(Durations({{1, true}, {2, true}}));
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_LT(curve[0].low, 0.5);
  EXPECT_GT(curve[0].high, 0.5);
  EXPECT_EQ(curve[1].survival, 0);
  EXPECT_TRUE(std::isnan(curve[1].low) && std::isnan(curve[1].high));
}

TEST(SurvivalCurve, IsEmptyWhereNoInterruptionWasSeen) {
  EXPECT_TRUE(survival_curve(Durations({{1, false}, {2, false}})).empty());
}

}  // namespace
}  // namespace coterie::traces
