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

/// Two workers that outlive everything: both ways complete all, in halves at once or one after another.
TEST(PlanningRuns, TakeWhatIsDoneFirstOfThoseThatCompleteTheSame) {
  const WorksharingProblem easy{2, 0.01, 1e-6, make_linear_risk(1e-9), 1, 0};
  const PlanningRuns runs(easy, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  EXPECT_EQ(runs.best({pool(1), pool(0.005), pool(0.009)}, 100), 1u);
  EXPECT_EQ(runs.best({pool(1), pool(0.009), pool(0.009)}, 100), 1u) << "the first of equals";
}

/// What each runs is bounded by how much happens, but for the least number of instances.
TEST(PlanningRuns, EndWhenMuchHasHappened) {
  struct Counting final : ListeningPolicy {
    explicit Counting(std::size_t& begun) : instances(begun) {}
    void begin(const Heard&) override { ++instances; }
    Order next(const Heard& heard, std::uint32_t) override {
      return heard.pool() > 0 ? Order::fresh(1e-2) : Order::nothing();
    }
    std::size_t& instances;
  };
  const WorksharingProblem long_lived{2, 1, 1e-6, make_linear_risk(1e-9), 1, 0};
  const PlanningRuns runs(long_lived, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  for (const std::size_t least : {4u, 400u}) {
    std::size_t instances = 0;
    const PolicyMaker counting = [&] { return std::make_unique<Counting>(instances); };
    runs.best({counting, counting}, 1000, least, 10'000);
    EXPECT_GE(instances, 2 * least);
    EXPECT_LE(instances, std::max<std::size_t>(2 * least, 10'000 / 100 + 2)) << "a chunk is an event, and more";
  }
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
