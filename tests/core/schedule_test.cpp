#include "core/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/stream.hpp"

namespace coterie {
namespace {

std::shared_ptr<const TaskList> list(std::vector<std::uint32_t> pieces, std::span<const double> sizes, double startup) {
  std::vector<Task> tasks;
  for (const std::uint32_t piece : pieces) tasks.push_back({piece, 1});
  return std::make_shared<TaskList>(TaskList::back_to_back(tasks, sizes, startup));
}

// [worksharing-2013, Section 2.2.3]: two chunks 1/4 and 1/2, start-up 1/10, Pr(t) = t.
TEST(ExpectedWork, IsTheChargedFormulaOnOneWorker) {
  const std::vector<double> sizes = {0.25, 0.5};
  const Schedule schedule({0, 0.25, 0.75}, {list({0, 1}, sizes, 0.1)});

  EXPECT_DOUBLE_EQ(expected_work(schedule, make_linear_risk()), 0.25 * (1 - 0.35) + 0.5 * (1 - 0.95));
}

TEST(ExpectedWork, MultipliesTheRisksOfReplicas) {
  const std::vector<double> sizes = {0.25, 0.25};
  const Schedule schedule({0, 0.25, 0.5}, {list({0, 1}, sizes, 0), list({1, 0}, sizes, 0)});
  const std::vector<RiskPtr> risks = {make_linear_risk(1), make_linear_risk(2)};

  EXPECT_DOUBLE_EQ(expected_work(schedule, risks), 0.25 * (1 - 0.25 * 1.0) + 0.25 * (1 - 0.5 * 0.5));
}

TEST(ExpectedWork, CountsOnlyTheFirstExecutionOnAWorkerAndClipsTheRisk) {
  const std::vector<double> sizes = {0.5};
  const Schedule twice({0, 0.5}, {list({0, 0}, sizes, 0)});
  const Schedule late({0, 0.5}, {list({0}, sizes, 3)});

  EXPECT_DOUBLE_EQ(expected_work(twice, make_linear_risk()), 0.25);
  EXPECT_EQ(expected_work(late, make_linear_risk()), 0.0);
}

TEST(ExpectedWork, TakesTasksOfSeveralPieces) {
  const std::vector<double> sizes = {0.2, 0.2, 0.1};
  auto whole = std::make_shared<TaskList>(TaskList::back_to_back({{0, 3}}, sizes, 0));
  auto middle = std::make_shared<TaskList>(TaskList::back_to_back({{1, 1}}, sizes, 0));
  const Schedule schedule({0, 0.2, 0.4, 0.5}, {whole, middle});

  EXPECT_DOUBLE_EQ(expected_work(schedule, make_linear_risk()), 0.3 * 0.5 + 0.2 * (1 - 0.5 * 0.2));
  EXPECT_DOUBLE_EQ(schedule.deployed_work(), 0.5);
}

TEST(CompletedWork, CompletesATaskThatEndsExactlyAtTheInterruption) {
  const std::vector<double> sizes = {0.25, 0.5};
  const Schedule schedule({0, 0.25, 0.75}, {list({0, 1}, sizes, 0)});

  EXPECT_EQ(completed_work(schedule, std::vector<double>{0.25}), 0.25);
  EXPECT_EQ(completed_work(schedule, std::vector<double>{std::nextafter(0.25, 0)}), 0.0);
  EXPECT_EQ(completed_work(schedule, std::vector<double>{INFINITY}), 0.75);
}

// Hoeffding: work lies in [0, W], so P(|mean - E| > x) <= 2 exp(-2 n x^2 / W^2) = 1e-7.
TEST(ExpectedWork, IsTheMeanOfCompletedWork) {
  const std::vector<double> sizes = {0.1, 0.2, 0.15, 0.05};
  const Schedule schedule({0, 0.1, 0.3, 0.45, 0.5},
                          {list({0, 1, 2, 3}, sizes, 0.01), list({3, 1}, sizes, 0.01), list({2, 0, 3}, sizes, 0.01)});
  const RiskPtr risk = make_parametric_risk(Expression::parse("weibull(shape=0.7, scale=0.5)"));
  const StreamKey key = StreamKey::derive(1, 2, Use::kInterruption);
  constexpr std::size_t kInstances = 200000;
  double sum = 0;
  std::vector<double> times(3);
  for (std::size_t instance = 0; instance < kInstances; ++instance) {
    worker_uniforms(key, instance, times);
    risk->sample(times, times);
    sum += completed_work(schedule, times);
  }

  EXPECT_NEAR(sum / kInstances, expected_work(schedule, risk), 0.5 * std::sqrt(std::log(2e7) / (2.0 * kInstances)));
}

TEST(Schedule, NumbersItsDifferentListsByTheirFirstWorkers) {
  const std::vector<double> sizes(4, 0.25);
  const auto a = list({0}, sizes, 0);
  const auto b = list({1}, sizes, 0);
  const Schedule schedule({0, 0.25, 0.5, 0.75, 1}, {a, a, b, list({3}, sizes, 0), a, b});

  ASSERT_EQ(schedule.lists().size(), 3u);
  EXPECT_EQ(schedule.lists()[0], a);
  EXPECT_EQ(schedule.lists()[1], b);
  const std::uint32_t expected[] = {0, 0, 1, 2, 0, 1};
  for (std::size_t w = 0; w < schedule.workers(); ++w) EXPECT_EQ(schedule.list_of(w), expected[w]) << w;
  for (std::size_t piece = 0; piece < 4; ++piece) EXPECT_EQ(schedule.is_given(piece), piece != 2) << piece;
}

TEST(TaskList, SumsFinishTimesWithoutDrift) {
  const std::vector<double> sizes(10, 0.1);
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < 10; ++i) tasks.push_back({i, 1});

  EXPECT_EQ(TaskList::back_to_back(tasks, sizes, 0).finish.back(), 1.0);
}

TEST(Schedule, RefusesTasksThatNamePiecesThatDoNotExist) {
  const std::vector<double> sizes = {0.5, 0.5};

  EXPECT_THROW(Schedule({0, 0.5}, {list({1}, sizes, 0)}), std::invalid_argument);
}

// The chart of worksharing-2013, Table 2, with start-up cost 1/100 on a slice of 4/5: group j is executed for the
// i-th time at steps 1 6 9 12, 2 5 8 11 and 3 4 7 10, by each of the four workers another chunk of the group.
TEST(ExpectedWork, IsTheExactFractionOfTableTwo) {
  const std::vector<double> sizes(12, 0.8 / 12);
  const int group_at[12] = {0, 1, 2, 2, 1, 0, 2, 1, 0, 2, 1, 0};
  std::vector<double> boundaries = {0};
  for (const double size : sizes) boundaries.push_back(boundaries.back() + size);
  std::vector<std::shared_ptr<const TaskList>> workers;
  for (int worker = 0; worker < 4; ++worker) {
    int executed[3] = {0, 0, 0};
    std::vector<std::uint32_t> pieces;
    for (const int group : group_at)
      pieces.push_back(static_cast<std::uint32_t>(4 * group + (worker + executed[group]++) % 4));
    workers.push_back(list(pieces, sizes, 0.01));
  }

  EXPECT_NEAR(expected_work(Schedule(boundaries, workers), make_linear_risk()), 369333383.0 / 474609375.0, 1e-15);
}

}  // namespace
}  // namespace coterie
