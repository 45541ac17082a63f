#include "sim/planning/machine_count.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"

namespace coterie::sim {
namespace {

CountQuestion asked(const std::string& risk, double deadline, double confidence, std::uint64_t instances) {
  CountQuestion question;
  question.question = [risk](std::size_t workers) {
    PlanQuestion plan;
    plan.workers = workers;
    plan.startup_cost = 0.01;
    plan.lives.planned = make_parametric_risk(Expression::parse(risk));
    plan.lives.risks = {plan.lives.planned};
    return plan;
  };
  question.most = 12;
  question.listening.deadline = deadline;
  question.listening.confidence = confidence;
  question.listening.instances = instances;
  return question;
}

TEST(MachineCount, FewerHaveNotTheTime) {
  EXPECT_EQ(least_machines(0.5, 0.1), 3u);
  EXPECT_EQ(least_machines(0.25, 0), 4u);
  EXPECT_EQ(least_machines(7, 0.1), 1u);
  EXPECT_EQ(least_machines(0.1, 0.1), std::nullopt);
  EXPECT_EQ(least_machines(0.1, 0.2), std::nullopt);
}

/// Where nobody leaves as many are enough as are needed.
TEST(MachineCount, OfMachinesThatStay) {
  const CountAnswer found = count_machines(asked("weibull(shape=20, scale=100)", 0.26, 0.9, 100));
  EXPECT_EQ(found.least, 4u);
  ASSERT_TRUE(found.fixed.found && found.listening.found);
  EXPECT_EQ(found.fixed.found->workers, 4u);
  EXPECT_EQ(found.fixed.found->strategy, "no-replication");
  EXPECT_FALSE(found.fixed.one_less);
  EXPECT_GE(found.listening.found->workers, 4u);
}

/// n machines that each run all of the work as one chunk: it is done with probability 1 - (1 - exp(-1.01))^n, which is
/// 0.896 of 5 and 0.934 of 6. A share of 20,000 runs is that far from 0.915 with a probability below 1e-15.
TEST(MachineCount, OfMachinesThatRunAllIsTheExactNumber) {
  CountQuestion question = asked("exponential(rate=1)", 1.5, 0.915, 20'000);
  const auto any = question.question;
  question.question = [any](std::size_t workers) {
    PlanQuestion plan = any(workers);
    plan.strategy = "brute";
    plan.granularity = {heuristics::Granularity::Kind::kPerSlice, 1};
    return plan;
  };
  const CountResult found = count_machines(question).fixed;
  ASSERT_TRUE(found.found && found.one_less);
  EXPECT_EQ(found.found->workers, 6u);
  EXPECT_EQ(found.found->strategy, "brute");
  EXPECT_EQ(found.one_less->workers, 5u);
  EXPECT_NEAR(found.found->in_time.share, 1 - std::pow(1 - std::exp(-1.01), 6), 6 * 0.0018);
  EXPECT_LT(found.one_less->in_time.high, 0.915);
}

/// Each machine is given all of the work, within which 63 % are interrupted.
TEST(MachineCount, SaysWhichStrategyDoesNotKeepToLambda) {
  for (const double lambda : {0.5, 0.7}) {
    CountQuestion question = asked("exponential(rate=1)", 1.5, 0.5, 500);
    const auto any = question.question;
    question.question = [any, lambda](std::size_t workers) {
      PlanQuestion plan = any(workers);
      plan.strategy = "brute";
      plan.lambda = lambda;
      return plan;
    };
    const CountResult found = count_machines(question).fixed;
    ASSERT_TRUE(found.found);
    EXPECT_EQ(found.found->keeps_lambda, lambda == 0.7);
    for (const CountTry& one : found.tried) EXPECT_EQ(one.keeps_lambda, lambda == 0.7) << one.workers;
  }
}

TEST(MachineCount, SkipsChunksOfTheStrategyThatIsAskedFor) {
  CountQuestion question = asked("weibull(shape=20, scale=100)", 2, 0.9, 100);
  const auto any = question.question;
  question.question = [any](std::size_t workers) {
    PlanQuestion plan = any(workers);
    plan.strategy = "no-replication";
    return plan;
  };
  const CountResult found = count_machines(question).listening;
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.found->workers, 1u);
  EXPECT_EQ(found.found->strategy, "skip(no-replication)");
}

/// Where it is open how long machines stay, answer() keeps one of the two schedules of a strategy. Here it is the one
/// of five chunks, which ends at 0.3; that of one chunk would end at 0.26.
TEST(MachineCount, JudgesTheScheduleThatIsKept) {
  for (const double deadline : {0.28, 0.32}) {
    CountQuestion question = asked("weibull(shape=20, scale=100)", deadline, 0.5, 500);
    question.least = question.most = 4;
    const auto any = question.question;
    question.question = [any](std::size_t workers) {
      PlanQuestion plan = any(workers);
      plan.strategy = "no-replication";
      const RiskPtr gone = make_parametric_risk(Expression::parse("exponential(rate=0.2)"));
      plan.if_gone = Lives{gone, {gone}};
      return plan;
    };
    const PlanAnswer kept = answer(question.question(4));
    EXPECT_NEAR(last_finish(*kept.choice().plan.schedule), 0.3, 1e-9);
    EXPECT_EQ(count_machines(question).fixed.found.has_value(), deadline > 0.3) << deadline;
  }
}

/// Every machine stays for 0.4 exactly: two of them finish their lists in time, but these are not all of the work.
TEST(MachineCount, WorkInNoListIsNotDone) {
  CountQuestion question = asked("linear", 0.667, 0.9, 200);
  question.question = [](std::size_t workers) {
    PlanQuestion plan;
    plan.workers = workers;
    plan.startup_cost = 0.001;
    plan.lives.planned = std::make_shared<EmpiricalRisk>(std::vector{0.4}, "always");
    plan.lives.risks = {plan.lives.planned};
    return plan;
  };
  const CountAnswer found = count_machines(question);
  EXPECT_EQ(found.least, 2u);
  ASSERT_TRUE(found.fixed.found);
  EXPECT_EQ(found.fixed.found->workers, 3u);
}

TEST(MachineCount, NoneIsEnough) {
  CountQuestion question = asked("exponential(rate=9)", 2, 0.99, 100);
  question.most = 3;
  const CountAnswer found = count_machines(question);
  for (const CountResult* result : {&found.fixed, &found.listening}) {
    EXPECT_FALSE(result->found);
    ASSERT_FALSE(result->tried.empty());
    EXPECT_EQ(result->tried.back().workers, 3u);
  }
}

TEST(MachineCount, NothingIsTriedWhereTheTimeIsTooShort) {
  const CountAnswer found = count_machines(asked("exponential(rate=1)", 0.02, 0.5, 500));
  EXPECT_GT(found.least, found.most);
  EXPECT_TRUE(found.fixed.tried.empty());
}

/// Whatever is found is enough on fresh runs, and one less is not surely.
TEST(MachineCount, ListeningNeedsNoMoreThanSilence) {
  CountQuestion question = asked("exponential(rate=0.5)", 1, 0.8, 500);
  question.most = 20;
  const CountAnswer found = count_machines(question);
  ASSERT_TRUE(found.fixed.found && found.listening.found);
  EXPECT_LE(found.listening.found->workers, found.fixed.found->workers);
  for (const CountResult* result : {&found.fixed, &found.listening}) {
    EXPECT_GE(result->found->in_time.low, 0.8);
    if (result->one_less) {
      EXPECT_LT(result->one_less->in_time.low, 0.8);
    }
  }
}

}  // namespace
}  // namespace coterie::sim
