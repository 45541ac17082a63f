#include "heuristics/dispatch/planning_runs.hpp"

#include <gtest/gtest.h>

namespace coterie::heuristics {
namespace {

/// Chunks of one size from the pool.
struct Pool final : ListeningPolicy {
  explicit Pool(double chunk) : size(chunk) {}
  Order next(const Heard& heard, std::uint32_t) override {
    return heard.pool() > 0 ? Order::fresh(size) : Order::nothing();
  }
  double size;
};

PolicyMaker pool(double chunk) {
  return [chunk] { return std::make_unique<Pool>(chunk); };
}

const WorksharingProblem kProblem{4, 1, 0.01, make_linear_risk(1), 1, 0};

TEST(PlanningRuns, TakeWhatCompletesMost) {
  const PlanningRuns runs(kProblem, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  const std::vector<PolicyMaker> makers = {pool(1), pool(0.002), pool(0.05), pool(0.5)};
  EXPECT_EQ(runs.best(makers, 500), 2u);
  EXPECT_EQ(runs.best(makers, 500), 2u) << "the same again";
}

TEST(PlanningRuns, TakeTheFirstOfEquals) {
  const PlanningRuns runs(kProblem, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  EXPECT_EQ(runs.best({pool(1), pool(0.05), pool(0.05)}, 200), 1u);
}

TEST(PlanningRuns, AreMoreForFewWorkersAndFewerForMany) {
  const auto affordable = [](std::size_t workers) {
    WorksharingProblem problem = kProblem;
    problem.workers = workers;
    return PlanningRuns(problem, {}, StreamKey::derive(1, 2, Use::kPlan)).affordable(1000, 4);
  };
  EXPECT_EQ(affordable(1), 16'000u);
  EXPECT_EQ(affordable(25), 1000u);
  EXPECT_EQ(affordable(50), 1000u);
  EXPECT_EQ(affordable(100), 500u);
  EXPECT_EQ(affordable(1'000'000), 4u);
}

}  // namespace
}  // namespace coterie::heuristics
