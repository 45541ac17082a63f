#include "heuristics/worksharing/overlapping_lists.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

/// Nine of ten leave at once, the others stay for a while: start-up costs are worth it for few.
RiskPtr heavy_tail() {
  std::vector<double> durations, weights;
  for (int k = 1; k <= 60; ++k) {
    durations.push_back(0.002 * k * k);
    weights.push_back(std::pow(0.85, k));
  }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return std::make_shared<EmpiricalRisk>(StepLaw{durations, weights}, "heavy tail");
}

Plan overlapping(const WorksharingProblem& problem, double share = 0.98) {
  SliceCache memory;
  const StaticCeiling ceiling = least_static_ceiling(problem, memory);
  const auto plan = overlapping_lists_plan(problem, ceiling.tangent, memory);
  EXPECT_TRUE(plan.has_value());
  EXPECT_LE(plan->expected_work, ceiling.value);
  EXPECT_GE(plan->expected_work, share * ceiling.value);
  return *plan;
}

TEST(OverlappingLists, ComeNearTheCeilingWhereLittleGetsDone) {
  const RiskPtr risk = heavy_tail();
  for (const std::size_t workers : {7, 25})
    for (const double work : {0.7, 1.0, 2.5}) {
      const Plan plan = overlapping({workers, work, 0.1, risk, 1, 0});
      EXPECT_DOUBLE_EQ(plan.expected_work, expected_work(*plan.schedule, risk));
      EXPECT_NEAR(plan.schedule->deployed_work(), work, 1e-9);
      // No worker runs a piece twice, and its chunks are back to back behind their start-up costs.
      for (std::size_t w = 0; w < workers; ++w) {
        const TaskList list = plan.schedule->tasks(w);
        std::vector<char> met(plan.schedule->pieces(), 0);
        double clock = 0;
        for (std::size_t k = 0; k < list.tasks.size(); ++k) {
          for (std::uint32_t i = 0; i < list.tasks[k].pieces; ++i) {
            EXPECT_EQ(met[list.tasks[k].first_piece + i]++, 0);
            clock += plan.schedule->piece_sizes()[list.tasks[k].first_piece + i];
          }
          EXPECT_NEAR(list.finish[k], clock += 0.1, 1e-9);
        }
      }
    }
}

TEST(OverlappingLists, FollowTheRiskOfEachWorker) {
  WorksharingProblem problem{20, 1, 0.1, heavy_tail(), 1, 0};
  for (int w = 0; w < 20; ++w)
    problem.worker_risks.push_back(w % 2 == 0 ? problem.risk : w % 3 == 0 ? make_linear_risk(6) : make_linear_risk(5));
  for (int w = 3; w < 20; w += 2) problem.worker_risks[w] = problem.worker_risks[w % 3 == 0 ? 3 : 1];
  overlapping(problem, 0.97);
}

// One of the kinds does not live through a start-up cost.
TEST(OverlappingLists, LeaveWhoCanDoNothingWithoutWork) {
  const WorksharingProblem problem{4, 1, 0.1, heavy_tail(), 1, 0};
  WorksharingProblem mixed = problem;
  const RiskPtr nobody = make_linear_risk(20);
  mixed.worker_risks = {problem.risk, nobody, problem.risk, problem.risk};
  SliceCache memory;
  const auto plan = overlapping_lists_plan(mixed, 0, memory);
  ASSERT_TRUE(plan.has_value());
  EXPECT_TRUE(plan->schedule->tasks(1).tasks.empty());
  EXPECT_FALSE(plan->schedule->tasks(0).tasks.empty());
}

TEST(OverlappingLists, AreNothingWhereTheyFitSideBySide) {
  SliceCache memory;
  EXPECT_FALSE(overlapping_lists_plan({3, 100, 0.1, heavy_tail(), 1, 0}, 0, memory).has_value());
  EXPECT_FALSE(overlapping_lists_plan({3, 1, 1, make_linear_risk(), 1, 0}, 0, memory).has_value());  // no list at all
}

// Lists of 9.9 and 0.9: equal shares of 5.5 would leave the second worker most of its share undone.
TEST(OverlappingLists, OfUnlikeWorkersMayFitSideBySide) {
  const RiskPtr ten = std::make_shared<EmpiricalRisk>(std::vector<double>{10}, "ten");
  const RiskPtr one = std::make_shared<EmpiricalRisk>(std::vector<double>{1}, "one");
  WorksharingProblem problem{2, 11, 0.1, ten, 1, 0};
  problem.worker_risks = {ten, one};
  SliceCache memory;
  const auto plan = overlapping_lists_plan(problem, 0, memory);
  ASSERT_TRUE(plan.has_value());
  EXPECT_NEAR(plan->expected_work, 10.8, 1e-9);
  EXPECT_GE(worksharing_strategy("best").build(problem, {}).expected_work, 10.8 - 1e-9);
}

// Other candidates of `best` leave a tenth of it.
TEST(OverlappingLists, AreTakenByBest) {
  const RiskPtr risk = heavy_tail();
  const WorksharingProblem problem{25, 1, 0.1, risk, 1, 0};
  const double best = worksharing_strategy("best").build(problem, {}).expected_work;
  EXPECT_GE(best, overlapping(problem).expected_work);
  EXPECT_GT(best, 1.02 * worksharing_strategy("refined").build(problem, {}).expected_work);
  EXPECT_EQ(best, worksharing_strategy("best").build(problem, {}).expected_work);
}

}  // namespace
}  // namespace coterie::heuristics
