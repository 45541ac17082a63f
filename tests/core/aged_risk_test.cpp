#include "core/aged_risk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

TEST(AgedRisk, OfLinearRiskIsLinearOverWhatIsLeft) {
  const AgedRisk aged(risk("linear(kappa=1/10)"), 6, "aged");
  for (const double t : {0.0, 1.0, 2.5, 4.0, 9.0}) {
    EXPECT_NEAR(aged.probability(t), std::min(1.0, t / 4), 1e-15) << t;
    EXPECT_NEAR(aged.survival(t), std::max(0.0, 1 - t / 4), 1e-15) << t;
  }
  EXPECT_NEAR(aged.density(1), 0.25, 1e-15);
  EXPECT_NEAR(aged.quantile(0.5), 2, 1e-14);
  EXPECT_EQ(aged.horizon(), 4);
  EXPECT_EQ(aged.text(), "aged");
}

TEST(AgedRisk, OfExponentialRiskForgetsTheAge) {
  const RiskPtr fresh = risk("exponential(rate=2)");
  const AgedRisk aged(fresh, 1.5, "aged");
  for (const double t : {0.01, 0.3, 1.0, 2.0}) EXPECT_NEAR(aged.probability(t), fresh->probability(t), 1e-14) << t;
  for (const double u : {0.1, 0.5, 0.9}) EXPECT_NEAR(aged.quantile(u), fresh->quantile(u), 1e-13) << u;
}

TEST(AgedRisk, KeepsItsDigitsWhereFewReachTheAge) {
  const RiskPtr fresh = risk("exponential(rate=1)");
  for (const double age : {20.0, 36.0, 40.0, 300.0}) {
    const AgedRisk aged(fresh, age, "aged");
    for (const double t : {0.01, 0.5, 2.0}) {
      EXPECT_NEAR(aged.probability(t), fresh->probability(t), 1e-12) << age;
      EXPECT_NEAR(aged.survival(t), fresh->survival(t), 1e-12) << age;
    }
    for (const double u : {0.1, 0.5, 0.9}) EXPECT_NEAR(aged.quantile(u), fresh->quantile(u), 1e-8) << age;
  }
}

TEST(AgedRisk, CountsTheIntervalsThatReachedTheAge) {
  const AgedRisk aged(std::make_shared<EmpiricalRisk>(std::vector<double>{5, 10, 6, 20}, "t"), 6, "aged");
  EXPECT_EQ(aged.probability(1e-9), 1.0 / 3);  // the interval of length 6 reached the age, and ends at once
  EXPECT_EQ(aged.probability(4), 1.0 / 3);     // 10 is not shorter than 10
  EXPECT_NEAR(aged.probability(4.5), 2.0 / 3, 1e-15);
  EXPECT_EQ(aged.horizon(), 14);
}

TEST(AgedRisk, IsOneConditionForAllLaws) {
  const auto steps = std::make_shared<EmpiricalRisk>(std::vector<double>{5, 10, 6, 20}, "t");
  const AgedRisk by_formula(steps, 6, "t");
  const RiskPtr by_steps = aged(steps, 6);

  ASSERT_NE(by_steps->steps(), nullptr);
  for (const double t : {1e-9, 1.0, 4.0, 4.5, 14.0, 15.0})
    EXPECT_NEAR(by_steps->probability(t), by_formula.probability(t), 1e-15) << t;
  EXPECT_THROW(aged(steps, 21), InputError);
}

TEST(AgedRisk, OfAMixtureOfExponentialsIsOne) {
  const RiskPtr fresh = risk("hyperexponential(p=0.3, rate1=4, rate2=0.5)");
  const RiskPtr older = aged(fresh, 0.7);

  for (const double t : {0.1, 1.0, 5.0}) {
    double survival = 0;
    for (const auto& [probability, rate] : older->exponentials()) survival += probability * std::exp(-rate * t);
    EXPECT_NEAR(survival, older->survival(t), 1e-14) << t;
  }
}

TEST(AgedRisk, RefusesAnAgeThatNobodyReaches) {
  EXPECT_THROW(AgedRisk(risk("linear"), 1, "aged"), InputError);
  const auto kaplan_meier =
      std::make_shared<EmpiricalRisk>(StepLaw{std::vector<double>{1, 2}, std::vector<double>{0.25, 0.25}}, "t");
  EXPECT_THROW(AgedRisk(kaplan_meier, 2.5, "aged"), InputError);  // half are up, but none was seen to end
  EXPECT_NO_THROW(AgedRisk(kaplan_meier, 2, "aged"));
}

}  // namespace
}  // namespace coterie
