#include "heuristics/ceilings/listening_ceiling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "heuristics/ceilings/own_clocks.hpp"
#include "heuristics/ceilings/sequential_value.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "tests/heuristics/ceilings/alike.hpp"

namespace coterie::heuristics {
namespace {

WorksharingProblem problem_of(const ListeningProblem& problem) {
  WorksharingProblem same{problem.risks.size(), problem.work, problem.startup_cost, problem.risks.front(), 1, 0};
  same.worker_risks = problem.risks;
  return same;
}

// The clocks are the optimum of more than any policy can do, with chunks on a grid.
TEST(ListeningCeiling, IsNotExceededByOwnClocks) {
  std::mt19937 draw(12);
  std::uniform_int_distribution<int> duration(1, 9);
  for (int i = 0; i < 60; ++i) {
    std::vector<RiskPtr> risks;
    for (int j = 0; j < 1 + i % 3; ++j) {
      std::vector<double> durations;
      for (int k = 0; k < 3; ++k) durations.push_back(duration(draw));
      risks.push_back(std::make_shared<EmpiricalRisk>(durations, "three spells"));
    }
    const ListeningProblem problem{risks, static_cast<double>(2 + i % 12), i % 3 == 0 ? 0.0 : 1.0, 1};
    const double ceiling = listening_ceiling(problem_of(problem));
    EXPECT_GE(ceiling, own_clocks_optimum(problem) * (1 - 1e-12));
    EXPECT_GE(ceiling, static_ceiling(problem_of(problem)));
    EXPECT_LE(ceiling, problem.work);
  }
}

// With more work than they can do, workers have nothing to tell one another: it is what they do alone. On a grid of
// 0.002 chunks of the optimum are less than its step away from those that are best.
TEST(ListeningCeiling, IsReachedWhereThereIsWorkForAll) {
  const double alone = sequential_value({alike(1), 1, 0.02, 0.002});
  WorksharingProblem problem{5, 5, 0.02, alike(1).front(), 1, 0};
  EXPECT_GE(listening_ceiling(problem), 5 * alone);
  EXPECT_LE(listening_ceiling(problem), 5 * alone * 1.002);
  problem.work = 0.5;
  EXPECT_EQ(listening_ceiling(problem), 0.5);
}

// Who hears that one of its zone was interrupted knows what is left of its own life, where the zone's part comes to it
// later: worker 1 lives 2 if worker 0 lives 1, and 4 if it lives 3. Alone it is worth max(2, 4 / 2) = 2, with worker 0
// that listens 3.
TEST(ListeningCeiling, IsNotKnownWhereAZoneTellsWhenWorkersOfOtherRisksAreInterrupted) {
  WorksharingProblem problem{4, 20, 0, make_linear_risk(), 1, 0};
  const RiskPtr first = std::make_shared<EmpiricalRisk>(std::vector<double>{1, 3}, "two spells");
  const RiskPtr second = std::make_shared<EmpiricalRisk>(std::vector<double>{2, 4}, "two spells");
  problem.worker_risks = {first, second, first, second};
  EXPECT_TRUE(std::isnan(listening_ceiling(problem, nullptr, {2, 1})));
  EXPECT_TRUE(std::isnan(listening_ceiling(problem, nullptr, {1, 0.1})));
  const double independent = listening_ceiling(problem);
  EXPECT_EQ(listening_ceiling(problem, nullptr, {2, 0}), independent);
  EXPECT_EQ(listening_ceiling(problem, nullptr, {4, 1}), independent);
  problem.worker_risks = {first, first, second, second};
  EXPECT_EQ(listening_ceiling(problem, nullptr, {2, 1}), independent) << "workers of a zone are alike";
}

TEST(ListeningCeiling, IsNotKnownForVeryManyUnlikeWorkers) {
  WorksharingProblem problem{1001, 5, 0.02, make_linear_risk(), 1, 0};
  for (int i = 0; i < 1001; ++i) problem.worker_risks.push_back(make_linear_risk(1 + 0.01 * i));
  EXPECT_TRUE(std::isnan(listening_ceiling(problem)));
  problem.work = -1;
  EXPECT_THROW(listening_ceiling(problem), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
