#include "heuristics/worksharing/best_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "heuristics/worksharing/near_optimal_plans.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "random_worksharing.hpp"

namespace coterie::heuristics {
namespace {

const std::vector<const char*> kGroupSchedules = {"greedy", "group-cyclic", "reverse", "mirror", "snake", "fat-snake"};
const std::vector<const char*> kOthers = {"refined", "no-replication", "cyclic-replication", "brute", "single-optimal"};
constexpr double kRounding = 1e-12;

/// COTERIE_FULL=1 looks at many, else at a few.
std::size_t cases(std::size_t few, std::size_t many) { return std::getenv("COTERIE_FULL") != nullptr ? many : few; }

/// Nothing where a strategy has no answer.
double expected(PlanBook& book, const char* name) {
  try {
    return book.get(worksharing_strategy(name).builder).expected_work;
  } catch (const InputError&) {
    return -std::numeric_limits<double>::infinity();
  }
}

/// Against the schedule itself, on the workers that are there.
void check_expectation(const WorksharingProblem& problem, const Plan& plan) {
  EXPECT_EQ(plan.expected_work, expected_work(*plan.schedule, problem.risks()));
  EXPECT_EQ(plan.schedule->workers(), problem.workers);
  EXPECT_LE(plan.expected_work, plan.schedule->deployed_work() * (1 + kRounding));
}

void check(const RandomCase& one) {
  PlanBook book(one.problem, one.granularity);
  const double refined = expected(book, "refined");
  const double best = expected(book, "best");

  for (const char* name : kGroupSchedules) EXPECT_GE(refined, expected(book, name) * (1 - kRounding)) << name;
  for (const char* name : kGroupSchedules) EXPECT_GE(best, expected(book, name) * (1 - kRounding)) << name;
  for (const char* name : kOthers) EXPECT_GE(best, expected(book, name) * (1 - kRounding)) << name;
  check_expectation(one.problem, book.get(refined_plan));
  check_expectation(one.problem, book.get(best_plan));
}

TEST(BestPlan, IsNeverBelowItsRivals) {
  RandomWorksharing random("best among alike workers");
  for (std::size_t k = 0; k < cases(12, 300); ++k) {
    const RandomCase one = random.alike();
    SCOPED_TRACE(one.text);
    check(one);
  }
}

TEST(BestPlan, LeavesTheLastWordToTheJudge) {
  const WorksharingProblem problem{4, 2, 0.05, make_linear_risk(), 1.0, 0};
  for (const char* favourite : {"refined", "no-replication", "cyclic-replication", "brute"}) {
    PlanBook plain(problem, Granularity{});
    const Plan& liked = plain.get(worksharing_strategy(favourite).builder);
    const auto likes = [&](std::span<const Plan* const> plans) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < plans.size(); ++i)
        if (plans[i]->expected_work == liked.expected_work) place = i;
      return place;
    };
    PlanBook book(problem, Granularity{}, likes);
    EXPECT_EQ(book.get(best_plan).expected_work, liked.expected_work) << favourite;
  }
}

TEST(BestPlan, IsNeverBelowItsRivalsOnTheWorkersThatAreThere) {
  RandomWorksharing random("best among unlike workers");
  for (std::size_t k = 0; k < cases(8, 300); ++k) {
    const RandomCase one = random.unlike();
    SCOPED_TRACE(one.text);
    check(one);
  }
}

}  // namespace
}  // namespace coterie::heuristics
