#include "sim/planning/short_chunks.hpp"

#include <gtest/gtest.h>

namespace coterie::sim {
namespace {

constexpr double kStartup = 0.1;

heuristics::Plan plan_of(const std::vector<double>& boundaries, const std::vector<Task>& tasks) {
  TaskLists lists;
  std::vector<double> sizes;
  for (std::size_t i = 1; i < boundaries.size(); ++i) sizes.push_back(boundaries[i] - boundaries[i - 1]);
  for (const Task& task : tasks) lists.add(task);
  lists.close(back_to_back(tasks, sizes, kStartup));
  heuristics::Plan plan;
  plan.schedule = std::make_shared<const Schedule>(boundaries, std::move(lists));
  return plan;
}

std::vector<double> sizes_of(const Schedule& schedule) {
  std::vector<double> sizes;
  for (const Task& task : schedule.tasks(0).tasks)
    sizes.push_back(schedule.boundaries()[task.first_piece + task.pieces] - schedule.boundaries()[task.first_piece]);
  return sizes;
}

TEST(ShortChunks, AreJoinedWithTheirNeighbours) {
  const auto plan = plan_of({0, 0.04, 0.08, 0.4, 0.45, 1}, {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}});
  const auto longer = without_short_chunks(plan, kStartup);
  EXPECT_EQ(sizes_of(*longer.schedule), (std::vector{0.4, 0.6}));
  EXPECT_NEAR(longer.schedule->tasks(0).finish[1], 1.2, 1e-12);
  EXPECT_EQ(longer.chunks, 2u);
}

TEST(ShortChunks, MayEndAList) {
  const auto plan = plan_of({0, 0.5, 0.55}, {{0, 1}, {1, 1}});
  EXPECT_EQ(without_short_chunks(plan, kStartup).schedule, plan.schedule);
}

TEST(ShortChunks, StayWhereTheyHaveNoNeighbour) {
  const auto plan = plan_of({0, 0.3, 0.35, 0.7, 1}, {{0, 1}, {3, 1}, {1, 1}, {0, 1}});
  EXPECT_EQ(without_short_chunks(plan, kStartup).schedule, plan.schedule);
  EXPECT_NEAR(chunk_sizes(*plan.schedule).least, 0.05, 1e-12);
}

}  // namespace
}  // namespace coterie::sim
