#include "traces/residual_risk.hpp"

#include <gtest/gtest.h>

namespace coterie::traces {
namespace {

// T = 1 or 3 with probability 1/2 each: mean 2, P(R < t) = t/2 up to 1, then 1/2 + (t - 1)/4.
TEST(ResidualRisk, IsTheIntegralOfTheSurvival) {
  const ResidualRisk risk({{1, 3}, {0.5, 0.5}}, "r");

  EXPECT_DOUBLE_EQ(risk.probability(0.5), 0.25);
  EXPECT_DOUBLE_EQ(risk.probability(1), 0.5);
  EXPECT_DOUBLE_EQ(risk.probability(2), 0.75);
  EXPECT_EQ(risk.probability(3), 1.0);
  EXPECT_DOUBLE_EQ(risk.quantile(0.75), 2.0);
  EXPECT_EQ(risk.quantile(1), 3.0);
  EXPECT_EQ(risk.probability(0), 0.0);
}

// A constant life met at a random moment has a uniform rest: the linear risk.
TEST(ResidualRisk, OfAConstantLifeIsLinear) {
  const ResidualRisk risk({{2}, {1}}, "r");

  for (double t = 0; t <= 2; t += 0.25) EXPECT_DOUBLE_EQ(risk.probability(t), t / 2);
}

TEST(ResidualRisk, RefusesALawWithoutAMean) {
  EXPECT_THROW(ResidualRisk({{1, 3}, {0.5, 0.25}}, "r"), InputError);
  EXPECT_THROW(ResidualRisk({{0}, {1}}, "r"), InputError);
}

TEST(PerHostLaw, WeighsHostsAlike) {
  AvailabilityTrace trace;
  for (const auto& [host, duration] : {std::pair{"a", 1.0}, {"a", 1.0}, {"a", 2.0}, {"b", 5.0}})
    trace.records.push_back({host, std::nullopt, duration});

  const StepLaw law = per_host_law(trace);

  EXPECT_EQ(law.times, (std::vector<double>{1, 2, 5}));
  EXPECT_DOUBLE_EQ(law.weights[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(law.weights[1], 1.0 / 6);
  EXPECT_DOUBLE_EQ(law.weights[2], 0.5);
  trace.records.push_back({std::nullopt, std::nullopt, 1.0});
  EXPECT_THROW(per_host_law(trace), InputError);
}

}  // namespace
}  // namespace coterie::traces
