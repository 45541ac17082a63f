// Start-up costs in wall-clock time, against a worker followed from one change of its speed to the next.
#include "sim/sampling/wall_clock.hpp"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

using Engine = boost::random::mt19937;

double uniform(Engine& engine, double low, double high) {
  return boost::random::uniform_real_distribution<double>(low, high)(engine);
}

/// One worker that runs chunks of these sizes in order.
heuristics::Plan plan_of(const std::vector<double>& sizes, double startup) {
  std::vector<double> boundaries{0};
  TaskLists lists;
  for (const double size : sizes) {
    lists.add({static_cast<std::uint32_t>(boundaries.size() - 1), 1});
    boundaries.push_back(boundaries.back() + size);
  }
  std::vector<double> actual;
  for (std::size_t k = 1; k < boundaries.size(); ++k) actual.push_back(boundaries[k] - boundaries[k - 1]);
  lists.close(back_to_back(lists.open(), actual, startup));
  heuristics::Plan plan;
  plan.schedule = std::make_shared<const Schedule>(boundaries, std::move(lists));
  return plan;
}

/// How many chunks end by `interruption`: the wall clock ticks through start-ups, the work through chunks.
std::size_t followed(const SpeedProfile& speed, const std::vector<double>& sizes, double startup, double interruption) {
  double time = 0;
  std::size_t piece = 0;
  std::size_t done = 0;
  for (const double size : sizes) {
    time += startup;
    while (speed.begin(piece + 1) <= time) ++piece;
    double left = size;
    while (left > 0) {
      const double until = speed.begin(piece + 1);
      const double possible = (until - time) * speed.piece_speed(piece);
      if (possible > left) {
        time += left / speed.piece_speed(piece);
        left = 0;
      } else {
        left -= possible;
        time = until;
        ++piece;
      }
    }
    if (time > interruption) break;
    ++done;
  }
  return done;
}

SpeedProfile random_speed(Engine& engine) {
  std::vector<double> times{0};
  std::vector<double> speeds{1 / std::floor(uniform(engine, 1, 5))};
  while (times.back() < 4) {
    times.push_back(times.back() + uniform(engine, 0.001, 0.5));
    speeds.push_back(1 / std::floor(uniform(engine, 1, 5)));
  }
  return {times, speeds};
}

TEST(WallClock, CompletesWhatAWorkerCompletesThatIsFollowed) {
  Engine engine(2013);
  std::size_t more = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double startup = uniform(engine, 0, 0.2);
    std::vector<double> sizes(static_cast<std::size_t>(uniform(engine, 1, 20)));
    for (double& size : sizes) size = uniform(engine, 0.01, 0.4);
    const SpeedProfile speed = random_speed(engine);
    const double interruption = uniform(engine, 0, 5);
    const heuristics::Plan plan = plan_of(sizes, startup);
    WallClock clock(startup);
    clock.add(plan, 1);

    const double capacity = clock.capacity(0, 0, speed, interruption);

    const std::size_t done = tasks_done(plan.schedule->tasks(0), capacity);
    const std::size_t in_work_units = tasks_done(plan.schedule->tasks(0), speed.work(interruption));
    ASSERT_EQ(done, followed(speed, sizes, startup, interruption)) << trial;
    ASSERT_GE(done, in_work_units) << trial << ": start-up costs in work units are never better";
    more += done > in_work_units;
  }
  EXPECT_GT(more, 300U);
}

TEST(WallClock, AtFullSpeedTheTimeIsTheCapacity) {
  WallClock clock(0.1);
  clock.add(plan_of({0.3, 0.2}, 0.1), 1);

  EXPECT_EQ(clock.capacity(0, 0, SpeedProfile(), 0.4), 0.4);
  EXPECT_EQ(clock.omniscient_capacity(SpeedProfile(), 0.4), 0.4);
}

TEST(WallClock, OmniscientPaysOneStartUpBySlowSpeed) {
  const SpeedProfile speed({0, 1}, {0.5, 1});
  WallClock clock(0.2);

  EXPECT_DOUBLE_EQ(clock.omniscient_capacity(speed, 2), 0.2 + 0.4 + 1);
  EXPECT_EQ(clock.omniscient_capacity(speed, 0.2), 0);
}

TEST(WallClock, OrdersDrawnAtRandomNeedChunksOfOneSize) {
  heuristics::Plan plan;
  plan.random = {heuristics::Chunking::per_unit(1, 3), 2, 0.1};
  WallClock clock(0.1);
  clock.add(plan, 2);
  EXPECT_DOUBLE_EQ(clock.capacity(0, 1, SpeedProfile({0, 1}, {0.5, 0.25}), 0.9), 1.5 * (0.1 + 1.0 / 3));
  EXPECT_EQ(clock.capacity(0, 1, SpeedProfile({0, 1}, {0.5, 0.25}), 9), kInfinity);
  plan.random->chunking = heuristics::Chunking::per_unit(1.1, 3);
  EXPECT_THROW(clock.add(plan, 2), InputError);
}

}  // namespace
}  // namespace coterie::sim
