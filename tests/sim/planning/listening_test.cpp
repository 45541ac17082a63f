#include "sim/planning/listening.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/expression.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

PlanQuestion asked(const std::string& risk, std::size_t workers) {
  PlanQuestion question;
  question.workers = workers;
  question.startup_cost = 0.01;
  question.lives.planned = make_parametric_risk(Expression::parse(risk));
  question.lives.risks = {question.lives.planned};
  question.seed = 2013;
  question.instances = 1000;
  return question;
}

TEST(Listening, TimesAreThoseThatAShareOfTheRunsKeeps) {
  const DoneTimes all = done_times({5, 1, 4, 2, 3, 6, 7, 8, 9, 10}, 0.7);
  EXPECT_EQ(all.half, 5);
  EXPECT_EQ(all.nine_tenths, 9);
  EXPECT_EQ(all.nineteen_twentieths, 10);
  EXPECT_EQ(all.confident, 7);
  EXPECT_EQ(done_times({5, 1, 4, 2, 3, 6, 7, 8, 9, 10}, 1e-9).confident, 1);
  const DoneTimes some = done_times({1, kInfinity, 2, kInfinity}, 0.51);
  EXPECT_EQ(some.half, 2);
  EXPECT_EQ(some.nine_tenths, kInfinity);
  EXPECT_EQ(some.confident, kInfinity);
}

TEST(Listening, TakesTheLeastMachineTimeWhereAsMuchGetsDone) {
  ListeningOption static_plan{"plan", false, 0.9, 0.1};
  static_plan.machine_time = 9;
  ListeningOption central{"central", true, 0.8999, 0.1};
  central.machine_time = 2;
  ListeningOption help{"help", true, 0.7, 0.1};
  help.machine_time = 1;
  EXPECT_EQ(most_done({static_plan, central, help}).name, "central");
}

// central of one machine is the best list of one, which ends where lives do: it has 0.86 of 0.95.
TEST(Listening, TheListOfASingleMachineMayKeepLambda) {
  PlanQuestion question = asked("linear(kappa=0.95)", 1);
  question.startup_cost = 0.01 / 0.95;
  question.lambda = 0.9;
  ListeningQuestion heard{0.02, std::nullopt, 0.95, 100};
  heard.policies = {"central"};
  bool seen = false;
  for (const ListeningOption& option : listen(answer(question), heard).options) {
    if (option.name != "central") continue;
    seen = true;
    EXPECT_TRUE(option.keeps_lambda);
  }
  EXPECT_TRUE(seen);
}

TEST(Listening, TheFirstIsThePlanOnTheSameInstances) {
  for (const char* risk : {"exponential(rate=1)", "weibull(shape=0.6, scale=0.3)", "linear(kappa=2)"}) {
    const PlanAnswer plan = answer(asked(risk, 5));
    const ListeningAnswer heard = listen(plan, {0.02, std::nullopt, 0.95, 1000});
    const ListeningOption& first = heard.options.front();
    EXPECT_FALSE(first.listens);
    EXPECT_EQ(first.name, plan.choice().strategy);
    EXPECT_NEAR(first.completed, plan.choice().simulated.mean, 1e-12);
    EXPECT_DOUBLE_EQ(first.completion, plan.choice().completion);
    EXPECT_FALSE(first.in_time);
    for (std::size_t o = 1; o < heard.options.size(); ++o) EXPECT_TRUE(heard.options[o].listens);
    EXPECT_TRUE(heard.if_gone.empty());
  }
}

// What is skipped is complete elsewhere, and nothing else changes: run by run as much gets done, or more, and sooner.
TEST(Listening, SkippingIsNeverWorseAndNeverComputesMore) {
  const ListeningAnswer heard =
      listen(answer(asked("weibull(shape=0.7, scale=0.5)", 6)), {0.01, std::nullopt, 0.95, 1000});
  const ListeningOption& plan = heard.options[0];
  const ListeningOption& skip = heard.options[1];
  EXPECT_GE(skip.completed, plan.completed);
  EXPECT_GE(skip.completion, plan.completion);
  EXPECT_LE(skip.done.half, plan.done.half);
  EXPECT_LT(skip.wasted, plan.wasted);
}

// One machine that lives exponentially: all is done by D if it lives until the last chunk ends.
TEST(Listening, OneMachineIsDoneAsOftenAsItLives) {
  PlanQuestion question = asked("exponential(rate=1)", 1);
  question.granularity = {heuristics::Granularity::Kind::kPerSlice, 4};
  question.strategy = "no-replication";
  const double end = 1 + 4 * question.startup_cost;
  constexpr std::uint64_t kRuns = 20000;
  // A share of n runs is further off than 6 standard errors with a probability of 2e-9.
  const double share = std::exp(-end);
  const double error = 6 * std::sqrt(share * (1 - share) / kRuns);
  for (const double deadline : {0.99 * end, end, 2 * end}) {
    const ListeningOption plan = listen(answer(question), {0, deadline, 0.95, kRuns}).options.front();
    EXPECT_NEAR(plan.completion, share, error);
    EXPECT_NEAR(plan.in_time->share, deadline < end ? 0 : share, error);
    EXPECT_EQ(plan.done.half, kInfinity);
    EXPECT_NEAR(plan.machine_time, 1 - share, 6 / std::sqrt(kRuns));  // E[min(T, end)]
  }
}

// Nobody is ever gone: four machines share the work, and all is done at the same time in every run.
TEST(Listening, MachinesThatStayAreDoneTogether) {
  PlanQuestion question = asked("weibull(shape=20, scale=100)", 4);
  question.granularity = {heuristics::Granularity::Kind::kPerSlice, 4};
  question.strategy = "no-replication";
  const ListeningAnswer heard = listen(answer(question), {0, 0.25 + 0.01, 0.95, 100});
  const ListeningOption& plan = heard.options.front();
  EXPECT_DOUBLE_EQ(plan.done.half, 0.26);
  EXPECT_DOUBLE_EQ(plan.done.nineteen_twentieths, 0.26);
  EXPECT_EQ(plan.in_time->share, 1);
  EXPECT_NEAR(plan.machine_time, 1.04, 1e-12);
  EXPECT_NEAR(plan.wasted, 0, 1e-12);
  for (const ListeningOption& option : heard.options) EXPECT_DOUBLE_EQ(option.completed, 1) << option.name;
}

/// The greatest share of runs in time of the static strategies of a plan.
double most_in_time_of(const PlanAnswer& plan, const ListeningQuestion& how) {
  double most = 0;
  for (const PlanOption& option : plan.options) {
    PlanAnswer other = plan;
    other.chosen = static_cast<std::size_t>(&option - plan.options.data());
    most = std::max(most, listen(other, how).options.front().in_time->share);
  }
  return most;
}

TEST(Listening, ADeadlineThatIsLikelyToBeMetChoosesTheStaticStrategy) {
  std::size_t changes = 0;
  for (const double deadline : {0.1, 0.16, 0.3, 0.6, 1.2}) {
    PlanAnswer plan = answer(asked("exponential(rate=1)", 8));
    const std::size_t most_work = plan.chosen;
    const ListeningQuestion how{0.02, deadline, 0.95, 1000, {}};
    const double most = most_in_time_of(plan, how);
    choose_by_simulation(plan, how);
    if (plan.chosen_by == ChosenBy::kDeadline) {
      EXPECT_EQ(listen(plan, how).options.front().in_time->share, most) << deadline;
      EXPECT_GE(most, kLikely);
      ++changes;
    } else {
      EXPECT_EQ(plan.chosen, most_work) << deadline;
    }
  }
  EXPECT_GT(changes, 0u);
  EXPECT_LT(changes, 5u);
}

TEST(Listening, TheStaticStrategyThatIsInTimeMostOftenIsShownBesideTheOneAskedFor) {
  PlanQuestion question = asked("exponential(rate=3)", 8);
  question.strategy = "no-replication";
  PlanAnswer plan = answer(question);
  const ListeningQuestion how{0.02, 1.2, 0.95, 1000, {}};
  choose_by_simulation(plan, how);
  EXPECT_EQ(plan.choice().strategy, "no-replication");
  double shown = 0;
  for (const ListeningOption& option : listen(plan, how).options)
    if (!option.listens) shown = std::max(shown, option.in_time->share);
  EXPECT_EQ(shown, most_in_time_of(plan, how));
}

TEST(Listening, OnlyListsKeepToLambda) {
  PlanQuestion question = asked("exponential(rate=1)", 6);
  question.lambda = 0.1;
  question.strategy = "greedy";
  const ListeningAnswer heard = listen(answer(question), {0.02, std::nullopt, 0.95, 100, {"central"}});
  for (const ListeningOption& option : heard.options)
    EXPECT_EQ(option.keeps_lambda, option.name == "greedy" || option.name == "skip(greedy)") << option.name;
  question.lambda = 1;
  for (const ListeningOption& option : listen(answer(question), {0.02, std::nullopt, 0.95, 100, {"central"}}).options)
    EXPECT_TRUE(option.keeps_lambda) << option.name;
}

TEST(Listening, PoliciesKeepToLambdaIfEachWorkerMayDoAllOfTheWork) {
  PlanQuestion question = asked("exponential(rate=0.1)", 4);
  question.lambda = 0.5;  // P(T < 1) is 0.095
  for (const ListeningOption& option : listen(answer(question), {0.02, std::nullopt, 0.95, 100}).options)
    EXPECT_TRUE(option.keeps_lambda) << option.name;
}

/// Each machine lives just long enough for a quarter of the work in one chunk.
TEST(Listening, AdaptiveKeepsToLambdaAsItsListsDo) {
  PlanQuestion question = asked("exponential(rate=1)", 4);
  question.startup_cost = 0.03125;
  question.lambda = 0.9;
  const RiskPtr risk = std::make_shared<EmpiricalRisk>(std::vector{0.28125}, "just enough");
  question.lives = {risk, {risk}};
  const ListeningAnswer heard = listen(answer(question), {0.02, std::nullopt, 0.95, 100});
  EXPECT_EQ(heard.options.back().goes_by.chosen, "skip(best)");
  for (const ListeningOption& option : heard.options)
    EXPECT_EQ(option.keeps_lambda, option.name != "help" && option.name != "central") << option.name;
}

TEST(Listening, MostInTimeIsTheCheapestOfEquals) {
  ListeningOption often{"often", true, 0.9, 0.9, ShareEstimate{0.9, 0.8, 0.95}};
  often.machine_time = 9;
  ListeningOption cheap{"cheap", true, 0.9, 0.9, ShareEstimate{0.9, 0.8, 0.95}};
  cheap.machine_time = 2;
  const ListeningOption seldom{"seldom", true, 0.9, 0.1, ShareEstimate{0.1, 0, 0.2}};
  EXPECT_EQ(most_in_time({often, cheap, seldom}).name, "cheap");
}

TEST(Listening, IsRefusedBesideBackgroundJobs) {
  PlanAnswer plan;
  plan.question.background = make_background(Expression::parse("mm1(arrival=1, service=9)"));
  EXPECT_THROW(listen(plan, {}), InputError);
  EXPECT_EQ(no_listening(plan), "background-jobs");
}

}  // namespace
}  // namespace coterie::sim
