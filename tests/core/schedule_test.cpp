#include "core/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/stream.hpp"
#include "tests/hand_made_schedule.hpp"

namespace coterie {
namespace {

std::shared_ptr<const HandMadeList> list(std::vector<std::uint32_t> pieces, const std::vector<double>& sizes,
                                         double startup) {
  std::vector<Task> tasks;
  for (const std::uint32_t piece : pieces) tasks.push_back({piece, 1});
  return hand_made_list(tasks, sizes, startup);
}

// [worksharing-2013, Section 2.2.3]: two chunks 1/4 and 1/2, start-up 1/10, Pr(t) = t.
TEST(ExpectedWork, IsTheChargedFormulaOnOneWorker) {
  const std::vector<double> sizes = {0.25, 0.5};
  const Schedule schedule = hand_made_schedule({0, 0.25, 0.75}, {list({0, 1}, sizes, 0.1)});

  EXPECT_DOUBLE_EQ(expected_work(schedule, make_linear_risk()), 0.25 * (1 - 0.35) + 0.5 * (1 - 0.95));
}

TEST(ExpectedWork, MultipliesTheRisksOfReplicas) {
  const std::vector<double> sizes = {0.25, 0.25};
  const Schedule schedule = hand_made_schedule({0, 0.25, 0.5}, {list({0, 1}, sizes, 0), list({1, 0}, sizes, 0)});
  const std::vector<RiskPtr> risks = {make_linear_risk(1), make_linear_risk(2)};

  EXPECT_DOUBLE_EQ(expected_work(schedule, risks), 0.25 * (1 - 0.25 * 1.0) + 0.25 * (1 - 0.5 * 0.5));
}

TEST(ExpectedWork, CountsOnlyTheFirstExecutionOnAWorkerAndClipsTheRisk) {
  const std::vector<double> sizes = {0.5};
  const Schedule twice = hand_made_schedule({0, 0.5}, {list({0, 0}, sizes, 0)});
  const Schedule late = hand_made_schedule({0, 0.5}, {list({0}, sizes, 3)});

  EXPECT_DOUBLE_EQ(expected_work(twice, make_linear_risk()), 0.25);
  EXPECT_EQ(expected_work(late, make_linear_risk()), 0.0);
}

TEST(ExpectedWork, TakesTasksOfSeveralPieces) {
  const std::vector<double> sizes = {0.2, 0.2, 0.1};
  auto whole = hand_made_list({{0, 3}}, sizes, 0);
  auto middle = hand_made_list({{1, 1}}, sizes, 0);
  const Schedule schedule = hand_made_schedule({0, 0.2, 0.4, 0.5}, {whole, middle});

  EXPECT_DOUBLE_EQ(expected_work(schedule, make_linear_risk()), 0.3 * 0.5 + 0.2 * (1 - 0.5 * 0.2));
  EXPECT_DOUBLE_EQ(schedule.deployed_work(), 0.5);
}

TEST(ExpectedWork, OfEqualRisksIsTheSameForOneAndForAListOfThem) {
  const RiskPtr risk = make_linear_risk();
  TaskLists lists;
  for (const double finish : {0.3007, 0.6993, 0.11021}) {
    lists.add({0, 1});
    lists.close(std::vector{finish});
  }
  const Schedule schedule({0, 1}, lists, {2, 1, 0});

  EXPECT_EQ(expected_work(schedule, risk), expected_work(schedule, std::vector{risk, risk, risk}));
}

TEST(CompletedWork, CompletesATaskThatEndsExactlyAtTheInterruption) {
  const std::vector<double> sizes = {0.25, 0.5};
  const Schedule schedule = hand_made_schedule({0, 0.25, 0.75}, {list({0, 1}, sizes, 0)});

  EXPECT_EQ(completed_work(schedule, std::vector<double>{0.25}), 0.25);
  EXPECT_EQ(completed_work(schedule, std::vector<double>{std::nextafter(0.25, 0)}), 0.0);
  EXPECT_EQ(completed_work(schedule, std::vector<double>{INFINITY}), 0.75);
}

// Hoeffding: work lies in [0, W], so P(|mean - E| > x) <= 2 exp(-2 n x^2 / W^2) = 1e-10.
TEST(ExpectedWork, IsTheMeanOfCompletedWork) {
  const std::vector<double> sizes = {0.1, 0.2, 0.15, 0.05};
  const Schedule schedule =
      hand_made_schedule({0, 0.1, 0.3, 0.45, 0.5},
                         {list({0, 1, 2, 3}, sizes, 0.01), list({3, 1}, sizes, 0.01), list({2, 0, 3}, sizes, 0.01)});
  const RiskPtr risk = make_parametric_risk(Expression::parse("weibull(shape=0.7, scale=0.5)"));
  const StreamKey key = StreamKey::derive(1, 2, Use::kInterruption);
  constexpr std::size_t kInstances = 290000;
  double sum = 0;
  std::vector<double> times(3);
  for (std::size_t instance = 0; instance < kInstances; ++instance) {
    worker_uniforms(key, instance, times);
    risk->sample(times, times);
    sum += completed_work(schedule, times);
  }

  EXPECT_NEAR(sum / kInstances, expected_work(schedule, risk), 0.5 * std::sqrt(std::log(2e10) / (2.0 * kInstances)));
}

TaskLists lists_of_one(std::initializer_list<std::uint32_t> pieces) {
  TaskLists lists;
  for (const std::uint32_t piece : pieces) {
    lists.add({piece, 1});
    lists.close(std::vector{0.25});
  }
  return lists;
}

TEST(Schedule, KeepsListsThatWorkersShareOnce) {
  const std::vector<std::uint32_t> list_of = {0, 0, 1, 2, 0, 1};
  const Schedule schedule({0, 0.25, 0.5, 0.75, 1}, lists_of_one({0, 1, 3}), list_of);

  ASSERT_EQ(schedule.workers(), 6u);
  ASSERT_EQ(schedule.lists().size(), 3u);
  const std::uint32_t pieces[] = {0, 1, 3};
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    EXPECT_EQ(schedule.list_of(w), list_of[w]) << w;
    ASSERT_EQ(schedule.tasks(w).tasks.size(), 1u) << w;
    EXPECT_EQ(schedule.tasks(w).tasks[0].first_piece, pieces[list_of[w]]) << w;
  }
  for (std::size_t piece = 0; piece < 4; ++piece) EXPECT_EQ(schedule.is_given(piece), piece != 2) << piece;
}

TEST(Schedule, GivesEachWorkerAListWhereNothingElseIsSaid) {
  const Schedule schedule({0, 0.5, 1}, lists_of_one({1, 0}));

  ASSERT_EQ(schedule.workers(), 2u);
  EXPECT_EQ(schedule.tasks(0).tasks[0].first_piece, 1u);
  EXPECT_EQ(schedule.tasks(1).tasks[0].first_piece, 0u);
}

TEST(Schedule, RefusesListsThatNobodyHasOrThatDoNotExistOrAreNotClosed) {
  const std::vector<double> boundaries = {0, 0.5, 1};
  TaskLists open = lists_of_one({0});
  open.add({1, 1});

  EXPECT_THROW(Schedule(boundaries, lists_of_one({0, 1}), {0, 0}), std::invalid_argument);
  EXPECT_THROW(Schedule(boundaries, lists_of_one({0, 1}), {0, 1, 2}), std::invalid_argument);
  EXPECT_THROW(Schedule(boundaries, open), std::invalid_argument);
  EXPECT_NO_THROW(Schedule(boundaries, lists_of_one({0, 1}), {1, 0, 1}));
}

TEST(TaskLists, RefuseAnotherNumberOfFinishTimesThanTasks) {
  TaskLists lists;
  lists.add({0, 1});

  EXPECT_THROW(lists.close({}), std::invalid_argument);
  EXPECT_THROW(lists.close(std::vector{0.25, 0.5}), std::invalid_argument);
  EXPECT_NO_THROW(lists.close(std::vector{0.25}));
  EXPECT_NO_THROW(lists.close({}));  // idle
  EXPECT_EQ(lists.size(), 2u);
  EXPECT_TRUE(lists[1].tasks.empty());
}

TEST(BackToBack, SumsFinishTimesWithoutDrift) {
  const std::vector<double> sizes(10, 0.1);
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < 10; ++i) tasks.push_back({i, 1});

  EXPECT_EQ(back_to_back(tasks, sizes, 0).back(), 1.0);
}

TEST(Schedule, RefusesTasksThatNamePiecesThatDoNotExist) {
  const std::vector<double> sizes = {0.5, 0.5};

  EXPECT_THROW(hand_made_schedule({0, 0.5}, {list({1}, sizes, 0)}), std::invalid_argument);
  EXPECT_THROW(hand_made_schedule({0, 0.5}, {hand_made_list({{1, 0}}, sizes, 0)}), std::invalid_argument);
}

// The chart of worksharing-2013, Table 2, with start-up cost 1/100 on a slice of 4/5: group j is executed for the
// i-th time at steps 1 6 9 12, 2 5 8 11 and 3 4 7 10, by each of the four workers another chunk of the group.
TEST(ExpectedWork, IsTheExactFractionOfTableTwo) {
  const std::vector<double> sizes(12, 0.8 / 12);
  const int group_at[12] = {0, 1, 2, 2, 1, 0, 2, 1, 0, 2, 1, 0};
  std::vector<double> boundaries = {0};
  for (const double size : sizes) boundaries.push_back(boundaries.back() + size);
  HandMadeLists workers;
  for (int worker = 0; worker < 4; ++worker) {
    int executed[3] = {0, 0, 0};
    std::vector<std::uint32_t> pieces;
    for (const int group : group_at)
      pieces.push_back(static_cast<std::uint32_t>(4 * group + (worker + executed[group]++) % 4));
    workers.push_back(list(pieces, sizes, 0.01));
  }

  EXPECT_NEAR(expected_work(hand_made_schedule(boundaries, workers), make_linear_risk()), 369333383.0 / 474609375.0,
              1e-15);
}

}  // namespace
}  // namespace coterie
