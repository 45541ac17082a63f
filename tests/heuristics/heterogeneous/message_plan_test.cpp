#include "heuristics/heterogeneous/message_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/heuristics/heterogeneous/exact_loss.hpp"
#include "tests/heuristics/heterogeneous/random_plans.hpp"

namespace coterie::heuristics {
namespace {

std::vector<RiskPtr> risks_of(const std::vector<RiskyWorker>& workers) {
  std::vector<RiskPtr> risks;
  for (const RiskyWorker& worker : workers) risks.push_back(worker.risk);
  return risks;
}

TEST(MessagePlan, IsWorthWhatTheEvaluatorOfAllSchedulesSays) {
  exact::RandomPlatforms random(41);
  for (int trial = 0; trial < 500; ++trial) {
    const auto workers = under_linear_risk(exact::rounded(random.platform(1 + random.below(5))));
    const double startup = trial % 3 == 0 ? 0 : 0.05 * random.uniform();
    const MessagePlan plan = random_plan(random, workers.size());

    const double value = MessagePlanValue(workers, startup)(plan);

    ASSERT_NEAR(value, coterie::expected_work(to_schedule(plan, workers, startup), risks_of(workers)), 1e-13)
        << "trial " << trial;
  }
}

TEST(MessagePlan, OfOnePieceAWorkerIsDistrib) {
  exact::RandomPlatforms random(42);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<LinearWorker> platform = exact::rounded(random.platform(1 + random.below(6)));
    MessagePlan plan;
    for (std::uint32_t i = 0; i < platform.size(); ++i) {
      plan.messages.push_back({i, {i}});
      plan.piece_sizes.push_back(0.2 * random.uniform());
    }

    const auto workers = under_linear_risk(platform);

    ASSERT_NEAR(MessagePlanValue(workers, 0)(plan), expected_work(platform, plan.piece_sizes), 1e-13);
    const Schedule schedule = to_schedule(plan, workers, 0);
    const std::vector<double> times = finish_times(platform, plan.piece_sizes);
    for (std::size_t i = 0; i < platform.size(); ++i) ASSERT_NEAR(schedule.tasks(i).finish[0], times[i], 1e-13);
  }
}

TEST(MessagePlan, CompletesWhatItsScheduleCompletes) {
  exact::RandomPlatforms random(43);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::vector<LinearWorker> platform = exact::rounded(random.platform(1 + random.below(5)));
    const double startup = trial % 3 == 0 ? 0 : 0.05 * random.uniform();
    const MessagePlan plan = random_plan(random, platform.size());
    std::vector<double> interruptions;
    for (std::size_t i = 0; i < platform.size(); ++i) interruptions.push_back(2 * random.uniform());

    const double work = completed_work(plan, platform, startup, interruptions);

    const Schedule schedule = to_schedule(plan, under_linear_risk(platform), startup);
    ASSERT_NEAR(work, coterie::completed_work(schedule, interruptions), 1e-13) << "trial " << trial;
  }
}

TEST(MessagePlan, WithoutCommunicationIsBackToBack) {
  const std::vector<RiskyWorker> workers = {{1, INFINITY, make_linear_risk(1)}};
  const MessagePlan plan{{0.1, 0.2, 0.3}, {{0, {0, 2}}, {0, {1}}}};

  const Schedule schedule = to_schedule(plan, workers, 0.05);

  const std::vector<Task> tasks = {{0, 1}, {2, 1}, {1, 1}};
  const FinishTimes expected = back_to_back(tasks, plan.piece_sizes, 0.05);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(schedule.tasks(0).finish[k], expected[k]);
}

/// Speed 2, bandwidth 4, start-up 1: pieces 2 and 1 arrive at 0.75 and end at 2.25 and 3.25. The other worker's message
/// ends at 1.75; the next one, of piece 4, at 2.75, before the first is done, and ends at 3.25 + 2.5.
TEST(MessagePlan, MessagesAreSentOneAfterTheOtherWhileWorkersCompute) {
  const std::vector<RiskyWorker> workers = {{2, 4, make_linear_risk(0.01)}, {1, 2, make_linear_risk(0.01)}};
  const MessagePlan plan{{2, 1, 4}, {{0, {0, 1}}, {1, {0}}, {0, {2}}}};

  const Schedule schedule = to_schedule(plan, workers, 1);

  EXPECT_EQ(schedule.tasks(0).finish, (std::vector<double>{2.25, 3.25, 5.75}));
  EXPECT_EQ(schedule.tasks(1).finish, (std::vector<double>{4.75}));
  MessagePlanValue value(workers, 1);
  EXPECT_NEAR(value(plan), 2 * (1 - 0.0225 * 0.0475) + (1 - 0.0325) + 4 * (1 - 0.0575), 1e-15);
  EXPECT_NEAR(value.lost()[0], 0.0225 * 0.0475, 1e-15);
}

}  // namespace
}  // namespace coterie::heuristics
