#include "sim/results/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

constexpr double kInfinite = kInfinity;
constexpr double kNotRun = std::numeric_limits<double>::quiet_NaN();

TEST(Measured, CountsThoseThatNeverGetThere) {
  const std::vector<double> makespan{3, kInfinite, kNotRun, 1, 2};
  const Measured one =
      Measured::of(makespan, std::vector{4.0, 5.0, kNotRun, 6.0, 7.0}, std::vector{0.0, 1.0, kNotRun, 0.0, 1.0});
  EXPECT_EQ(one.all_done, 0.75);
  EXPECT_EQ(one.half_done_by, 2) << "two of four, not the middle of the three that got there";
  EXPECT_EQ(one.most_done_by, kInfinite);
  EXPECT_EQ(one.machine_time, 5.5);
  EXPECT_EQ(one.wasted, 0.5);
}

TEST(Measured, TakesTheLeastTimeByWhichThatManyGotThere) {
  std::vector<double> makespan;
  for (int i = 100; i > 0; --i) makespan.push_back(i <= 95 ? i : kInfinite);
  const Measured one = Measured::of(makespan, makespan, makespan);
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
  const Measured one = Measured::of(none, none, none);
  for (const double value : {one.all_done, one.half_done_by, one.most_done_by, one.machine_time, one.wasted})
    EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace coterie::sim
