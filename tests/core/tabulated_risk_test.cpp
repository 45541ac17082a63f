#include "core/tabulated_risk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/parametric.hpp"

namespace coterie {
namespace {

TEST(TabulatedRisk, OfPointsOfALinearLawIsThatLaw) {
  const TabulatedRisk table({0.25, 0.5, 2}, {0.125, 0.25, 1}, "table");
  const RiskPtr linear = risk("linear(kappa=0.5)");
  for (int i = -8; i <= 24; ++i) EXPECT_EQ(table.probability(i / 8.0), linear->probability(i / 8.0)) << i;
  for (int i = 0; i <= 64; ++i) EXPECT_DOUBLE_EQ(table.quantile(i / 64.0), linear->quantile(i / 64.0)) << i;
  EXPECT_DOUBLE_EQ(table.density(1), 0.5);
  EXPECT_EQ(table.density(2), 0);
  EXPECT_EQ(table.horizon(), 2);
  EXPECT_EQ(table.breaks(), (std::vector<double>{0.25, 0.5, 2}));
  EXPECT_EQ(table.text(), "table");
}

TEST(TabulatedRisk, IsAsCloseToALawAsItsPoints) {
  const RiskPtr law = risk("weibull(shape=1.5, scale=1)");
  std::vector<double> times, probabilities;
  for (int i = 1; i <= 4000; ++i) {
    times.push_back(i / 1000.0);
    probabilities.push_back(law->probability(times.back()));
  }
  const TabulatedRisk table(times, probabilities, "table");
  // A chord is off by at most an eighth of the second derivative, below 4 from 0.1 on, times the square of its length.
  for (double t = 0.1005; t < 4; t += 0.01) EXPECT_NEAR(table.probability(t), law->probability(t), 1e-6) << t;
  for (const double u : {0.01, 0.3, 0.5, 0.9, 0.99}) EXPECT_NEAR(table.quantile(u), law->quantile(u), 2e-5) << u;
}

TEST(TabulatedRisk, IsFlatBetweenEqualProbabilitiesAndAfterTheLast) {
  const TabulatedRisk table({1, 2, 3, 4}, {0, 0.5, 0.5, 0.75}, "table");
  EXPECT_EQ(table.quantile(0), 1);
  EXPECT_EQ(table.probability(1), 0);
  EXPECT_EQ(table.probability(2.5), 0.5);
  EXPECT_EQ(table.quantile(0.5), 2);
  EXPECT_EQ(table.quantile(0.625), 3.5);
  EXPECT_EQ(table.probability(100), 0.75);
  EXPECT_TRUE(std::isinf(table.quantile(0.76)));
  EXPECT_TRUE(std::isinf(table.horizon()));
  EXPECT_NEAR(table.effective_horizon(), 4, 1e-5);
}

}  // namespace
}  // namespace coterie
