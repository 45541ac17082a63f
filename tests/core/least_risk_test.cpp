#include "core/least_risk.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"

namespace coterie {
namespace {

RiskPtr risk_of_text(const char* text) { return make_parametric_risk(Expression::parse(text)); }

TEST(LeastRisk, ExponentialLivesAreOneLifeOfTheRatesTogether) {
  const RiskPtr gang = least_of(risk_of_text("exponential(rate=0.25)"), 8);
  ASSERT_EQ(gang->exponentials().size(), 1u);
  EXPECT_DOUBLE_EQ(gang->exponentials().front().rate, 2);
}

TEST(LeastRisk, SurvivesWhereAllDo) {
  const RiskPtr one = risk_of_text("weibull(shape=0.7, scale=3)");
  const RiskPtr gang = least_of(one, 5);
  for (const double t : {0.001, 0.1, 1.0, 7.0}) {
    const double all = std::pow(one->survival(t), 5);
    EXPECT_NEAR(gang->survival(t), all, 1e-15);
    EXPECT_NEAR(gang->probability(t), 1 - all, 1e-15);
    EXPECT_NEAR(gang->quantile(gang->probability(t)), t, 1e-9 * t);
    EXPECT_NEAR(gang->density(t), (gang->probability(t + 1e-6) - gang->probability(t - 1e-6)) / 2e-6, 1e-4);
  }
  EXPECT_EQ(least_of(one, 1), one);
}

TEST(LeastRisk, RecordedLivesStayALawOfSteps) {
  const auto one = std::make_shared<EmpiricalRisk>(std::vector<double>{1, 2, 2, 5}, "recorded");
  const RiskPtr gang = least_of(one, 3);
  ASSERT_NE(gang->steps(), nullptr);
  for (const double t : {0.5, 1.5, 3.0, 6.0}) EXPECT_NEAR(gang->survival(t), std::pow(one->survival(t), 3), 1e-12);
  EXPECT_EQ(gang->quantile(1), 5);
}

}  // namespace
}  // namespace coterie
