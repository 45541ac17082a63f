#include "heuristics/worksharing/whole_tasks.hpp"

#include <gtest/gtest.h>

namespace coterie::heuristics {
namespace {

TEST(WholeTasks, TheLastMayBeShorter) {
  EXPECT_EQ(task_sizes(1, 0.25), (std::vector{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(task_sizes(1, 2), std::vector{1.0});
  EXPECT_EQ(count_of_tasks(0.3, 0.1), 3u) << "up to rounding";
  const std::vector<double> sizes = task_sizes(1, 0.3);
  ASSERT_EQ(sizes.size(), 4u);
  EXPECT_NEAR(sizes.back(), 0.1, 1e-12);
}

TEST(WholeTasks, EachIsRunByWhomeverItsMiddleBelongsTo) {
  TaskLists lists;
  lists.add({0, 1});
  lists.close(FinishTimes({1.6}));
  lists.add({1, 1});
  lists.add({0, 1});
  lists.close(FinishTimes({2.5, 4.1}));
  const Schedule cut({0, 1.6, 4}, std::move(lists));

  const Schedule whole = in_whole_tasks(cut, 4, 1, 0.125);

  const auto tasks_of = [&](std::size_t worker) {
    std::vector<std::uint32_t> tasks;
    for (const Task& task : whole.tasks(worker).tasks) {
      EXPECT_EQ(task.pieces, 1u);
      tasks.push_back(task.first_piece);
    }
    return tasks;
  };
  EXPECT_EQ(tasks_of(0), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(tasks_of(1), (std::vector<std::uint32_t>{2, 3, 0, 1}));
  EXPECT_EQ(whole.tasks(1).finish[3], 4 * 1.125);
  EXPECT_EQ(whole.deployed_work(), 4);
}

}  // namespace
}  // namespace coterie::heuristics
