#include "sim/planning/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"
#include "sim/sampling/capacity_risk.hpp"

namespace coterie::sim {
namespace {

PlanQuestion question(const std::string& risk = "exponential(rate=1)", std::size_t workers = 4) {
  PlanQuestion question;
  question.workers = workers;
  question.startup_cost = 0.01;
  question.lives.planned = make_parametric_risk(Expression::parse(risk));
  question.lives.risks = {question.lives.planned};
  question.seed = 2013;
  question.instances = 20000;
  return question;
}

/// A mean of n draws is further off than 6 standard errors with a probability of 2e-9.
void expect_near_the_exact(const PlanOutcome& outcome, const std::string& strategy) {
  const double error = std::max(outcome.simulated.standard_error, 1e-12);
  EXPECT_NEAR(outcome.simulated.mean, outcome.expected_work, 6 * error) << strategy;
}

TEST(Planner, SimulationMeetsTheExactExpectation) {
  const PlanAnswer found = answer(question());
  ASSERT_EQ(found.options.size(), considered_strategies().size());
  for (const PlanOption& option : found.options) {
    expect_near_the_exact(option, option.strategy);
    EXPECT_NEAR(option.expected_work, expected_work(*option.plan.schedule, found.question.lives.planned), 1e-12);
  }
}

TEST(Planner, ChoiceIsWithinAThousandthOfTheBest) {
  const PlanAnswer found = answer(question("weibull(shape=0.7, scale=0.6)", 7));
  for (const PlanOption& option : found.options)
    EXPECT_LE(option.expected_work, found.choice().expected_work * 1.001) << option.strategy;
}

/// Ten of twelve machines were up when the watching ended, at a quarter of the work.
PlanQuestion open_question(std::size_t workers) {
  PlanQuestion asked = question();
  asked.workers = workers;
  asked.startup_cost = 1 / 120.;
  asked.instances = 2000;
  const std::vector<double> seen = {0.1, 0.12};
  asked.lives.planned =
      std::make_shared<EmpiricalRisk>(StepLaw{seen, std::vector<double>{1 / 12., 1 / 12.}}, "ten stay for ever");
  asked.lives.risks = {asked.lives.planned};
  return asked;
}

Lives gone_at(double time) {
  const std::vector<double> times = {0.1, 0.12, time};
  const RiskPtr risk =
      std::make_shared<EmpiricalRisk>(StepLaw{times, std::vector<double>{1 / 12., 1 / 12., 10 / 12.}}, "ten leave");
  return {risk, {risk}};
}

double most_of(const PlanAnswer& found, const std::vector<RiskPtr>& risks) {
  double most = 0;
  for (const PlanOption& option : found.options) most = std::max(most, expected_work(*option.plan.schedule, risks));
  return most;
}

TEST(Planner, NoAnswerToWhatIsOpenRuinsTheChoice) {
  PlanQuestion asked = open_question(3);
  const Lives gone = gone_at(0.25);
  const PlanAnswer hopeful = answer(asked);
  asked.if_gone = gone;

  const PlanAnswer found = answer(asked);

  const Schedule& schedule = *found.choice().plan.schedule;
  ASSERT_TRUE(found.choice().if_gone);
  EXPECT_NEAR(found.choice().expected_work, expected_work(schedule, asked.lives.risks), 1e-12);
  EXPECT_NEAR(found.choice().if_gone->expected_work, expected_work(schedule, gone.risks), 1e-12);
  EXPECT_GT(found.choice().assured, 0.85);
  EXPECT_GE(found.choice().expected_work, found.choice().assured * most_of(found, asked.lives.risks) * (1 - 1e-12));
  EXPECT_GE(found.choice().if_gone->expected_work, found.choice().assured * most_of(found, gone.risks) * (1 - 1e-12));
  for (const PlanOption& option : found.options) EXPECT_LE(option.assured, found.choice().assured * 1.001);
  // The plan of those who hope does less than half of what could be done if they are wrong.
  EXPECT_LT(expected_work(*hopeful.choice().plan.schedule, gone.risks), 0.5 * most_of(found, gone.risks));
}

TEST(Planner, SimulatesBothAnswersToWhatIsOpen) {
  PlanQuestion asked = open_question(3);
  asked.if_gone = gone_at(0.25);

  for (const PlanOption& option : answer(asked).options) {
    expect_near_the_exact(option, option.strategy);
    expect_near_the_exact(*option.if_gone, option.strategy);
    EXPECT_LE(option.if_gone->completion, option.completion);
  }
}

TEST(Planner, TellsWhatIsOpen) {
  PlanQuestion asked = open_question(3);
  EXPECT_FALSE(open_tail(asked));
  asked.if_gone = gone_at(0.25);
  EXPECT_NEAR(open_tail(asked)->share, 10 / 12., 1e-12);
  EXPECT_EQ(open_tail(asked)->last_seen, 0.25);
}

TEST(Planner, WorkersMayDiffer) {
  PlanQuestion asked = question();
  asked.lives.risks = {make_parametric_risk(Expression::parse("exponential(rate=0.5)")), asked.lives.planned,
                       asked.lives.planned, make_parametric_risk(Expression::parse("exponential(rate=2)"))};

  const PlanAnswer found = answer(asked);

  for (const PlanOption& option : found.options) expect_near_the_exact(option, option.strategy);
}

TEST(Planner, BackgroundWithoutJobsChangesLittle) {
  PlanQuestion asked = question();
  asked.background = make_background(Expression::parse("mm1(arrival=0, service=1)"));

  const RiskPtr law = capacity_law(asked.lives.planned, asked);

  // The law is never further off than one of the equal strata that it is drawn from.
  for (const double t : {0.1, 0.5, 1.0, 1.5})
    EXPECT_NEAR(law->probability(t), asked.lives.planned->probability(t), 1.0 / CapacityRisk::kSamples);
}

TEST(Planner, BackgroundJobsTakeWorkAway) {
  PlanQuestion asked = question();
  const double alone = answer(asked).choice().expected_work;
  asked.background = make_background(Expression::parse("mm1(arrival=10, service=20)"));

  const PlanAnswer found = answer(asked);

  EXPECT_LT(found.choice().expected_work, alone);
  // The law that the plan was made for is a sample of that by which its work is computed exactly.
  const double planned = expected_work(*found.choice().plan.schedule, found.problem.risk);
  EXPECT_NEAR(planned, found.choice().expected_work, 0.05);
}

TEST(Planner, CountsCopies) {
  TaskLists lists;
  for (const Task& task : {Task{0, 2}, Task{1, 1}, Task{1, 1}}) {
    lists.add(task);
    lists.close(std::vector{1.0});
  }
  const Schedule schedule({0, 0.25, 1}, std::move(lists));

  const Copies copies = copies_of(schedule);

  EXPECT_EQ(copies.least, 1u);
  EXPECT_EQ(copies.most, 3u);
  EXPECT_DOUBLE_EQ(copies.mean, 0.25 * 1 + 0.75 * 3);
  EXPECT_EQ(last_finish(schedule), 1.0);
}

TEST(Planner, CountsAListThatRepeatsAChunkOnce) {
  TaskLists lists;
  for (const Task& task : {Task{0, 1}, Task{0, 2}, Task{0, 1}}) lists.add(task);
  lists.close(std::vector{1.0, 2.0, 3.0});
  const Copies copies = copies_of(Schedule({0, 0.25, 1}, std::move(lists)));

  EXPECT_EQ(copies.least, 1u);
  EXPECT_EQ(copies.most, 1u);
}

TEST(Planner, SameSeedSameAnswer) {
  PlanQuestion asked = question();
  const double first = answer(asked).choice().simulated.mean;
  EXPECT_EQ(answer(asked).choice().simulated.mean, first);
  asked.seed = 2014;
  EXPECT_NE(answer(asked).choice().simulated.mean, first);
}

}  // namespace
}  // namespace coterie::sim
