#include "sim/planning/intervals.hpp"

#include <gtest/gtest.h>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"

namespace coterie::sim {
namespace {

PlanQuestion alone() {
  PlanQuestion question;
  question.startup_cost = 0.01;
  question.lives.planned = make_parametric_risk(Expression::parse("exponential(rate=2)"));
  question.lives.risks = {question.lives.planned};
  return question;
}

TEST(Intervals, ExpectNoMoreThanTheChosenChunks) {
  PlanQuestion question = alone();
  question.instances = 100;
  const auto found = other_intervals(question);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->mean, 0.5, 1e-9);
  ASSERT_EQ(found->rules.size(), 2u);
  EXPECT_NEAR(found->rules[0].length, 0.1, 1e-9);
  const PlanAnswer best = answer(question);
  for (const Interval& rule : found->rules) {
    EXPECT_LE(*rule.expected_work, best.choice().expected_work * (1 + kNegligibleGain)) << rule.rule;
    EXPECT_GT(*rule.expected_work, 0.9 * best.choice().expected_work) << rule.rule;
  }
}

TEST(Intervals, AreForOneMachineWithAMean) {
  PlanQuestion question = alone();
  question.workers = 2;
  EXPECT_FALSE(other_intervals(question));
  question = alone();
  question.startup_cost = 0;
  EXPECT_FALSE(other_intervals(question));
  question = alone();
  question.lives.risks = {std::make_shared<EmpiricalRisk>(StepLaw{std::vector{1.0}, std::vector{0.5}}, "half stay")};
  EXPECT_FALSE(other_intervals(question));
}

}  // namespace
}  // namespace coterie::sim
