// How many tasks end within a capacity: exact for every capacity, on the finish times and one ulp beside them.
#include "sim/kernels/task_counter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/infinity.hpp"
#include "core/stream.hpp"
#include "heuristics/chunks/chunking.hpp"

namespace coterie::sim {
namespace {

std::size_t count(const std::vector<double>& finish, double capacity) {
  return static_cast<std::size_t>(std::upper_bound(finish.begin(), finish.end(), capacity) - finish.begin());
}

/// All instruction sets give the exact count for these capacities.
void expect_exact(const std::vector<double>& finish, const TaskCounter& counter,
                  const std::vector<double>& capacities) {
  for (const LaneLoops* loops : usable_lane_loops())
    for (std::size_t first = 0; first < capacities.size(); first += kLanes) {
      double lanes[kLanes] = {};
      std::int32_t done[kLanes];
      const std::size_t used = std::min(kLanes, capacities.size() - first);
      std::copy_n(capacities.begin() + static_cast<std::ptrdiff_t>(first), used, lanes);
      loops->count(counter.view(), lanes, 1, done);
      for (std::size_t lane = 0; lane < used; ++lane) {
        ASSERT_EQ(static_cast<std::size_t>(done[lane]), count(finish, lanes[lane]))
            << loops->name << " " << lanes[lane];
        ASSERT_EQ(tasks_done(counter.view(), lanes[lane]), static_cast<std::size_t>(done[lane]));
      }
    }
}

std::vector<double> beside(const std::vector<double>& finish) {
  std::vector<double> capacities = {0, kInfinity, 5e-324, 1e300};
  for (const double time : finish)
    for (const double capacity : {std::nextafter(time, 0), time, std::nextafter(time, kInfinity)})
      capacities.push_back(capacity);
  return capacities;
}

std::vector<double> equal_chunks(double work, std::size_t chunks, double startup) {
  const auto chunking = heuristics::Chunking::equal(work, chunks);
  std::vector<Task> all(chunks);
  for (std::uint32_t i = 0; i < chunks; ++i) all[i].first_piece = i;
  const FinishTimes finish = chunking.back_to_back(all, startup);
  return {finish.begin(), finish.end()};
}

TEST(TaskCounter, IsExactBesideEveryFinishTime) {
  for (const double work : {1.0, 0.3, 7.0, 1e-300, 1e250})
    for (const std::size_t chunks : {1, 2, 3, 7, 64, 100, 777})
      for (const double startup : {0.0, 0.001, 0.1}) {
        const std::vector<double> finish = equal_chunks(work, chunks, startup * work);
        const TaskCounter counter(finish, {});
        EXPECT_GE(counter.view().corrections, 0) << "equal steps need no search";
        expect_exact(finish, counter, beside(finish));
      }
}

// Where draws are certified for their own grid, they are exact on that grid: the draws beside each finish time.
TEST(TaskCounter, IsExactOnTheDrawsBesideEveryFinishTime) {
  std::size_t without_table = 0;
  for (const double kappa : {1.0, 2.0, 0.7, 1e-5})
    for (const std::size_t chunks : {1, 2, 3, 10, 32, 100, 333})
      for (const double startup : {0.0, 0.01, 0.0001}) {
        const std::vector<double> finish = equal_chunks(1 / kappa, chunks, startup / kappa);
        const TaskCounter counter(finish, {kappa});
        without_table += counter.view().corrections == 0 ? 1 : 0;
        const auto draw = [&](double word) { return to_uniform(static_cast<std::uint32_t>(word)) / kappa; };
        std::vector<double> capacities = {draw(0), draw(4294967295.0)};
        for (const double time : finish)
          for (double step = -2; step <= 2; ++step)
            capacities.push_back(draw(std::clamp(std::floor(time * kappa * 0x1p32) + step, 0.0, 4294967295.0)));
        expect_exact(finish, counter, capacities);
      }
  EXPECT_GT(without_table, 70u);  // of 84
}

TEST(TaskCounter, IsExactForUnequalSteps) {
  const std::vector<std::vector<double>> lists = {{},
                                                  {0},
                                                  {1, 2, 2.5},
                                                  {0.5, 1.5, 2.5, 3.5},
                                                  {1, 2, 2.25, 3.25, 4.25},
                                                  {1, 10, 11, 100, 1000, 1001},
                                                  {1, 1, 1, 2},
                                                  {5e-324, 1e-323, 1},
                                                  {1e308, 1.7e308}};
  for (const auto& finish : lists) expect_exact(finish, TaskCounter(finish, {}), beside(finish));
}

// Times that no multiple of the number comes near, in every number that a search may find its way through.
TEST(TaskCounter, IsExactForEveryNumberOfUnequalSteps) {
  for (std::size_t tasks = 1; tasks <= 140; ++tasks) {
    std::vector<double> finish;
    for (std::size_t k = 1; k <= tasks; ++k) finish.push_back(std::sqrt(static_cast<double>(k)));
    const TaskCounter counter(finish, {});
    if (tasks > 20) {
      EXPECT_LT(counter.view().corrections, 0) << "no guess fits";
    }
    expect_exact(finish, counter, beside(finish));
  }
}

TEST(TaskCounter, IsExactWhereTheLastChunkIsSmallerAndComesEarly) {
  const auto chunking = heuristics::Chunking::per_unit(1.23, 10);
  std::vector<Task> order;
  for (const std::uint32_t chunk : {3, 12, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}) order.push_back({chunk, 1});
  const FinishTimes times = chunking.back_to_back(order, 0.01);
  const std::vector<double> finish(times.begin(), times.end());
  const TaskCounter counter(finish, {});
  EXPECT_GE(counter.view().corrections, 1);
  expect_exact(finish, counter, beside(finish));
}

}  // namespace
}  // namespace coterie::sim
