#include "sim/results/measured.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

constexpr double kInfinite = kInfinity;
constexpr double kNotRun = std::numeric_limits<double>::quiet_NaN();

/// In pieces of two, as often as wanted, with three values in memory.
Measured measured(std::span<const double> makespan, std::span<const double> machine_time,
                  std::span<const double> wasted) {
  MeasuredRow row(3);
  for (bool first = true; row.wants_pass(); first = false) {
    for (std::size_t at = 0; at < makespan.size(); at += 2) {
      const std::size_t count = std::min<std::size_t>(2, makespan.size() - at);
      const auto piece = [&](std::span<const double> all) { return all.subspan(at, count); };
      if (first) {
        row.take(piece(makespan), piece(machine_time), piece(wasted));
      } else {
        row.take_again(piece(makespan));
      }
    }
    row.end_pass();
  }
  return row.measured();
}

TEST(Measured, CountsThoseThatNeverGetThere) {
  const std::vector<double> makespan{3, kInfinite, kNotRun, 1, 2};
  const Measured one =
      measured(makespan, std::vector{4.0, 5.0, kNotRun, 6.0, 7.0}, std::vector{0.0, 1.0, kNotRun, 0.0, 1.0});
  EXPECT_EQ(one.all_done, 0.75);
  EXPECT_EQ(one.half_done_by, 2) << "two of four, not the middle of the three that got there";
  EXPECT_EQ(one.most_done_by, kInfinite);
  EXPECT_EQ(one.machine_time, 5.5);
  EXPECT_EQ(one.wasted, 0.5);
}

TEST(Measured, TakesTheLeastTimeByWhichThatManyGotThere) {
  std::vector<double> makespan;
  for (int i = 100; i > 0; --i) makespan.push_back(i <= 95 ? i : kInfinite);
  const Measured one = measured(makespan, makespan, makespan);
  EXPECT_EQ(one.half_done_by, 50);
  EXPECT_EQ(one.most_done_by, 95);
}

TEST(Measured, WeighsConfigurationsAlikeAndForgetsNoneThatNeverGetsThere) {
  Measured sum{0.5, 1, kInfinite, 4, 1};
  sum += {1, 2, 3, 5, 2};
  sum /= 2;
  EXPECT_EQ(sum.all_done, 0.75);
  EXPECT_EQ(sum.half_done_by, 1.5);
  EXPECT_EQ(sum.most_done_by, kInfinite);
  EXPECT_EQ(sum.machine_time, 4.5);
  EXPECT_EQ(sum.wasted, 1.5);
}

TEST(Measured, IsNotKnownWhereNobodyMeasured) {
  const std::vector<double> none{kNotRun, kNotRun};
  const Measured one = measured(none, none, none);
  for (const double value : {one.all_done, one.half_done_by, one.most_done_by, one.machine_time, one.wasted})
    EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace coterie::sim
