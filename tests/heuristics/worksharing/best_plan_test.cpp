#include "heuristics/worksharing/best_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"
#include "heuristics/worksharing/near_optimal_plans.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "random_worksharing.hpp"

namespace coterie::heuristics {
namespace {

const std::vector<const char*> kGroupSchedules = {"greedy", "group-cyclic", "reverse", "mirror", "snake", "fat-snake"};
const std::vector<const char*> kOthers = {"refined", "no-replication", "cyclic-replication",
                                          "brute",   "single-optimal", "two-workers"};
constexpr double kRounding = 1e-12;

/// COTERIE_FULL=1 looks at many, else at a few.
std::size_t cases(std::size_t few, std::size_t many) { return std::getenv("COTERIE_FULL") != nullptr ? many : few; }

/// Nothing where a strategy has no answer.
double expected(PlanCache& cache, const char* name) {
  try {
    return cache.get(worksharing_strategy(name).builder).expected_work;
  } catch (const InputError&) {
    return -kInfinity;
  }
}

/// Against the schedule itself, on the workers that are there.
void check_expectation(const WorksharingProblem& problem, const Plan& plan) {
  EXPECT_EQ(plan.expected_work, expected_work(*plan.schedule, problem.risks()));
  EXPECT_EQ(plan.schedule->workers(), problem.workers);
  EXPECT_LE(plan.expected_work, plan.schedule->deployed_work() * (1 + kRounding));
}

void check(const RandomCase& one) {
  PlanCache cache(one.problem, one.granularity);
  const double refined = expected(cache, "refined");
  const double best = expected(cache, "best");

  for (const char* name : kGroupSchedules) EXPECT_GE(refined, expected(cache, name) * (1 - kRounding)) << name;
  for (const char* name : kGroupSchedules) EXPECT_GE(best, expected(cache, name) * (1 - kRounding)) << name;
  for (const char* name : kOthers) EXPECT_GE(best, expected(cache, name) * (1 - kRounding)) << name;
  check_expectation(one.problem, cache.get(refined_plan));
  check_expectation(one.problem, cache.get(best_plan));
}

// Expected work of at most k chunks of one worker: 0.33, 0.405, 0.405, 0.415, 0.41 by k. With no more chunks than equal
// ones need (2), 0.405 was taken for the best.
TEST(BestPlan, IsNotBelowTheOptimumOfOneWorkerWhereItHasTwoPeaks) {
  const auto risk = std::make_shared<EmpiricalRisk>(
      std::vector<double>{.1, .1, .1, .1, .2, .2, .2, .3, .6, .6, .7, .7, .7, .7, .9, .9, 1, 1, 1, 1}, "two peaks");
  PlanCache cache({1, 0.8, 0.05, risk, 1.0, 0}, Granularity{});
  EXPECT_NEAR(expected(cache, "single-optimal"), 0.415, 1e-12);
  EXPECT_GE(expected(cache, "best"), expected(cache, "single-optimal") * (1 - kRounding));
}

// Traces of up to 30 durations, where the optimum may have any shape.
TEST(BestPlan, IsNotBelowTheOptimumOfOneWorkerUnderAnyTrace) {
  std::mt19937 draw(20);
  const auto upto = [&](int most) { return std::uniform_int_distribution<int>(1, most)(draw); };
  for (std::size_t trial = 0; trial < cases(100, 2000); ++trial) {
    std::vector<double> durations(static_cast<std::size_t>(upto(30)));
    for (double& duration : durations) duration = 0.1 * upto(10);
    const auto risk = std::make_shared<EmpiricalRisk>(durations, "random");
    const auto workers = static_cast<std::size_t>(upto(3));
    const double work = 0.1 * upto(10) * static_cast<double>(workers);
    PlanCache cache({workers, work, 0.01 * upto(10), risk, 1.0, 0}, Granularity{});
    EXPECT_GE(expected(cache, "best"), expected(cache, "single-optimal") * (1 - kRounding)) << trial;
  }
}

TEST(BestPlan, IsNeverBelowItsRivals) {
  RandomWorksharing random("best among alike workers");
  for (std::size_t k = 0; k < cases(12, 300); ++k) {
    const RandomCase one = random.alike();
    SCOPED_TRACE(one.text);
    check(one);
  }
}

TEST(BestPlan, IsNeverBelowItsRivalsWhereWorkIsNearlyAWholeNumberOfChunks) {
  std::vector<double> spells;
  for (int k = 1; k <= 9; ++k) spells.push_back(k / 9.0);
  const auto risk = std::make_shared<EmpiricalRisk>(spells, "nine spells");
  for (const double work : {0.6666666667, 0.6666666666, 0.66666666666, 2.0 / 3}) {
    PlanCache cache({3, work, 0, risk, 1.0, 0}, {Granularity::Kind::kPerUnit, 9});
    for (const char* name : kGroupSchedules) {
      EXPECT_GE(expected(cache, "refined"), expected(cache, name) * (1 - kRounding)) << name << " " << work;
      EXPECT_GE(expected(cache, "best"), expected(cache, name) * (1 - kRounding)) << name << " " << work;
    }
  }
}

TEST(BestPlan, IsNeverBelowTheHybridOfTwoWorkers) {
  PlanCache known({2, 0.5, 0.02, make_linear_risk(), 1.0, 0}, Granularity{});
  EXPECT_GT(expected(known, "best"), 0.4506);  // of the hybrid; 0.45017 without
  RandomWorksharing random("best for two workers");
  for (std::size_t k = 0; k < cases(8, 100); ++k) {
    RandomCase one = k % 2 == 0 ? random.alike() : random.unlike();
    one.problem.work *= 2.0 / static_cast<double>(one.problem.workers);
    one.problem.workers = 2;
    one.problem.coteries = 0;
    if (!one.problem.worker_risks.empty()) one.problem.worker_risks.resize(2, one.problem.worker_risks.front());
    SCOPED_TRACE(one.text);
    PlanCache cache(one.problem, one.granularity);
    EXPECT_GE(expected(cache, "best"), expected(cache, "two-workers") * (1 - kRounding));
  }
}

// A schedule for less work is one for more. The searches are not proven: of chunks that are best for one worker under
// weibull(shape=3), 2e-5 is missing.
TEST(BestPlan, ExpectsNoLessOfMoreWork) {
  constexpr double kBySearch = 1e-4;
  for (const char* text : {"linear(kappa=1)", "exponential(rate=1)", "weibull(shape=3, scale=1)"}) {
    const RiskPtr risk = make_parametric_risk(Expression::parse(text));
    double most = 0;
    for (const double work : {2.0, 3.0, 3.9, 4.0, 4.01, 4.5, 4.9, 4.99, 5.0, 5.01, 6.0}) {
      const double expected =
          worksharing_strategy("best").build({5, work, 0.1, risk, 1.0, 0}, Granularity{}).expected_work;
      EXPECT_GE(expected, most * (1 - kBySearch)) << text << ", work " << work;
      most = std::max(most, expected);
    }
  }
}

// As the paper's rules have it: RESULTS.md, "Where greedy is beaten".
TEST(BestPlan, DoesNotJumpWhereGreedyDoes) {
  const auto expected = [](const char* name, double work) {
    return worksharing_strategy(name).build({5, work, 0.1, make_linear_risk(), 1.0, 0}, Granularity{}).expected_work;
  };
  EXPECT_NEAR(expected("greedy", 4.99), 1.2, 1e-4);
  EXPECT_NEAR(expected("greedy", 5), 1.25, 1e-12);
  EXPECT_NEAR(expected("best", 4.99), 1.25, 1e-12);
  EXPECT_NEAR(expected("best", 5), 1.25, 1e-12);
}

TEST(BestPlan, LeavesTheLastWordToTheJudge) {
  const WorksharingProblem problem{4, 2, 0.05, make_linear_risk(), 1.0, 0};
  for (const char* favourite : {"refined", "no-replication", "cyclic-replication", "brute"}) {
    PlanCache plain(problem, Granularity{});
    const Plan& liked = plain.get(worksharing_strategy(favourite).builder);
    const auto likes = [&](std::span<const Plan* const> plans) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < plans.size(); ++i)
        if (plans[i]->expected_work == liked.expected_work) place = i;
      return place;
    };
    PlanCache cache(problem, Granularity{}, likes);
    EXPECT_EQ(cache.get(best_plan).expected_work, liked.expected_work) << favourite;
  }
}

// In parts, as the long form takes minutes.
class BestPlanOfUnlikeWorkers : public testing::TestWithParam<int> {};

TEST_P(BestPlanOfUnlikeWorkers, IsNeverBelowItsRivalsOnTheWorkersThatAreThere) {
  RandomWorksharing random("best among unlike workers, part " + std::to_string(GetParam()));
  for (std::size_t k = 0; k < cases(2, 75); ++k) {
    const RandomCase one = random.unlike();
    SCOPED_TRACE(one.text);
    check(one);
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, BestPlanOfUnlikeWorkers, testing::Range(0, 4));

}  // namespace
}  // namespace coterie::heuristics
