#include "core/cut_risk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"
#include "core/mixture_risk.hpp"
#include "core/schedule.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

/// P(min(T, H) < t) = Pr(t) up to H and what is the same time, 1 behind it.
TEST(CutRisk, IsTheRiskUpToTheHorizonAndCertainBehindIt) {
  const auto mixed = std::make_shared<MixtureRisk>(
      std::vector<RiskPtr>{risk("linear"), std::make_shared<EmpiricalRisk>(std::vector<double>{0.2, 0.4, 2}, "t")},
      std::vector<double>{1, 1}, "mixed");
  for (const RiskPtr& whole : {risk("exponential(rate=2)"), risk("linear"), risk("weibull(shape=0.5, scale=1)"),
                               RiskPtr(mixed), risk("lognormal(median=0.5, sigma=1)")}) {
    const double horizon = 0.3;
    const RiskPtr cut = cut_at(whole, horizon);
    for (const double t : {0.0, 0.1, 0.2, 0.299, horizon, horizon * (1 + 1e-13)}) {
      EXPECT_EQ(cut->probability(t), whole->probability(std::min(t, horizon))) << whole->text() << t;
      EXPECT_EQ(cut->survival(t), whole->survival(std::min(t, horizon))) << whole->text() << t;
    }
    for (const double t : {0.3001, 1.0, 1e300}) {
      EXPECT_EQ(cut->probability(t), 1) << whole->text();
      EXPECT_EQ(cut->survival(t), 0) << whole->text();
    }
    std::vector<double> uniforms = {1e-9, 0.1, 0.3, 0.5, 0.9, 1 - 1e-9};
    std::vector<double> times(uniforms.size());
    cut->sample(uniforms, times);
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
      EXPECT_EQ(times[i], std::min(whole->quantile(uniforms[i]), horizon));
      EXPECT_EQ(cut->quantile(uniforms[i]), times[i]);
    }
    EXPECT_EQ(cut->horizon(), horizon);
    EXPECT_EQ(cut->breaks().back(), horizon);
    EXPECT_TRUE(std::isnan(cut->density(0.1))) << "it jumps";
    EXPECT_FALSE(cut->linear_rate());
  }
}

TEST(CutRisk, IsTheSameObjectWhereNobodyLivesLonger) {
  const RiskPtr linear = risk("linear(kappa=2)");
  EXPECT_EQ(cut_at(linear, 0.5), linear);
  EXPECT_EQ(cut_at(linear, kInfinity), linear);
  EXPECT_NE(cut_at(linear, 0.49), linear);
  const RiskPtr forever = risk("exponential(rate=1)");
  EXPECT_EQ(cut_at(forever, kInfinity), forever);
}

/// Solvers that know recorded times by their kind go on to know them.
TEST(CutRisk, OfRecordedTimesHasRecordedTimes) {
  const auto equal = std::make_shared<EmpiricalRisk>(std::vector<double>{1, 2, 2, 3, 5}, "t");
  const auto open =
      std::make_shared<EmpiricalRisk>(StepLaw{std::vector<double>{1, 4}, std::vector<double>{0.25, 0.25}}, "t");
  using Steps = std::vector<double>;
  const auto cut = std::dynamic_pointer_cast<const EmpiricalRisk>(cut_at(equal, 2.5));
  ASSERT_NE(cut, nullptr);
  EXPECT_EQ(cut->jumps(), (Steps{1, 2, 2.5}));
  EXPECT_EQ(cut->probability(2.5), 3.0 / 5);
  const auto at_a_jump = std::dynamic_pointer_cast<const EmpiricalRisk>(cut_at(equal, 3));
  ASSERT_NE(at_a_jump, nullptr);
  EXPECT_EQ(at_a_jump->jumps(), (Steps{1, 2, 3}));
  const auto before_all = std::dynamic_pointer_cast<const EmpiricalRisk>(cut_at(equal, 0.5));
  ASSERT_NE(before_all, nullptr);
  EXPECT_EQ(before_all->jumps(), (Steps{0.5}));
  for (const double horizon : {2.0, 4.0, 100.0}) {
    const auto closed = cut_at(open, horizon);
    EXPECT_EQ(closed->horizon(), horizon) << "who is never interrupted is stopped there";
    EXPECT_EQ(closed->probability(horizon), horizon > 4 ? 0.5 : 0.25);
  }
}

}  // namespace
}  // namespace coterie
