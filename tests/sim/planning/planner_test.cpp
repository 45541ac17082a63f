#include "sim/planning/planner.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/errors.hpp"
#include "core/expression.hpp"

namespace coterie::sim {
namespace {

PlanQuestion question(const std::string& risk = "exponential(rate=1)", std::size_t workers = 4) {
  PlanQuestion question;
  question.workers = workers;
  question.startup_cost = 0.01;
  question.planned = make_parametric_risk(Expression::parse(risk));
  question.risks = {question.planned};
  question.seed = 2013;
  question.instances = 20000;
  return question;
}

/// A mean of n draws is further off than 6 standard errors with a probability of 2e-9.
void expect_near_the_exact(const PlanOption& option) {
  const double error = std::max(option.simulated.standard_error, 1e-12);
  EXPECT_NEAR(option.simulated.mean, option.expected_work, 6 * error) << option.strategy;
}

TEST(Planner, SimulationMeetsTheExactExpectation) {
  const PlanAnswer found = answer(question());
  ASSERT_EQ(found.options.size(), considered_strategies().size());
  for (const PlanOption& option : found.options) {
    expect_near_the_exact(option);
    EXPECT_NEAR(option.expected_work, expected_work(*option.plan.schedule, found.question.planned), 1e-12);
  }
}

TEST(Planner, ChoiceIsWithinAThousandthOfTheBest) {
  const PlanAnswer found = answer(question("weibull(shape=0.7, scale=0.6)", 7));
  for (const PlanOption& option : found.options)
    EXPECT_LE(option.expected_work, found.choice().expected_work * 1.001) << option.strategy;
}

TEST(Planner, KeepsToTheStrategyThatIsAskedFor) {
  PlanQuestion asked = question();
  asked.strategy = "cyclic-replication";

  const PlanAnswer found = answer(asked);

  EXPECT_EQ(found.choice().strategy, "cyclic-replication");
  EXPECT_EQ(found.options.size(), 3u);
}

TEST(Planner, RefusesOrdersThatAreDrawnAnew) {
  PlanQuestion asked = question();
  asked.strategy = "random-replication";
  EXPECT_THROW(answer(asked), InputError);
}

TEST(Planner, WorkersMayDiffer) {
  PlanQuestion asked = question();
  asked.risks = {make_parametric_risk(Expression::parse("exponential(rate=0.5)")), asked.planned, asked.planned,
                 make_parametric_risk(Expression::parse("exponential(rate=2)"))};

  const PlanAnswer found = answer(asked);

  for (const PlanOption& option : found.options) expect_near_the_exact(option);
}

TEST(Planner, BackgroundWithoutJobsChangesLittle) {
  PlanQuestion asked = question();
  asked.background = make_background(Expression::parse("mm1(arrival=0, service=1)"));

  const RiskPtr law = capacity_law(asked.planned, asked);

  // 2000 strata: the law is never further off than one of them.
  for (const double t : {0.1, 0.5, 1.0, 1.5})
    EXPECT_NEAR(law->probability(t), asked.planned->probability(t), 1 / 2000.);
}

TEST(Planner, BackgroundJobsTakeWorkAway) {
  PlanQuestion asked = question();
  const double alone = answer(asked).choice().expected_work;
  asked.background = make_background(Expression::parse("mm1(arrival=10, service=20)"));

  const PlanAnswer found = answer(asked);

  EXPECT_LT(found.choice().expected_work, alone);
  // The law that the plan was made for and the simulation are two samples of the same; 2000 capacities of each of two.
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

TEST(Planner, SameSeedSameAnswer) {
  PlanQuestion asked = question();
  const double first = answer(asked).choice().simulated.mean;
  EXPECT_EQ(answer(asked).choice().simulated.mean, first);
  asked.seed = 2014;
  EXPECT_NE(answer(asked).choice().simulated.mean, first);
}

}  // namespace
}  // namespace coterie::sim
