#include "sim/results/result_averages.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

// Tables of Student's t, 97.5 %.
TEST(StudentQuantile, IsTheOneOfTheTables) {
  EXPECT_NEAR(student_quantile(1), 12.7062, 5e-5);
  EXPECT_NEAR(student_quantile(2), 4.3027, 5e-5);
  EXPECT_NEAR(student_quantile(5), 2.5706, 5e-5);
  EXPECT_NEAR(student_quantile(30), 2.0423, 5e-5);
  EXPECT_NEAR(student_quantile(1e300), 1.95996, 5e-6);
}

TEST(Average, WeighsConfigurationsAlike) {
  Average average;
  average.add({0.5, 0.03, 9});
  average.add({0.9, 0.04, 19});

  EXPECT_EQ(average.count(), 2U);
  EXPECT_NEAR(average.mean(), 0.7, 1e-15);
  EXPECT_NEAR(average.standard_error(), 0.025, 1e-15);
  EXPECT_NEAR(average.half_width(), student_quantile(9) * 0.025, 1e-15);  // the fewest degrees of freedom
}

// A bound holds whatever happens: those of two configurations may both be reached, on the same side.
TEST(Average, AddsBoundsAsTheyAre) {
  Average average;
  average.add({0.5, 0.03, 9, 0.1});
  average.add({0.9, 0.04, 19, 0.2});
  const double quantile = student_quantile(average.estimate().freedom);
  EXPECT_NEAR(average.half_width(), quantile * 0.025 + 0.15, 1e-15);

  Average certain;
  certain.add({0.5, 0, 9, 0.1});
  certain.add({0.9, 0, 19, 0.2});
  EXPECT_NEAR(certain.half_width(), 0.15, 1e-15);
}

TEST(Average, OfConfigurationsWithTheSameInstancesIsNoMorePreciseThanTheyAre) {
  Average average(Errors::kAnyhow);
  for (int i = 0; i < 5; ++i) average.add({0.5, 0.03, 9.0 + i});
  EXPECT_NEAR(average.standard_error(), 0.03, 1e-15);
  EXPECT_EQ(average.estimate().freedom, 9);
  EXPECT_NEAR(average.half_width(), student_quantile(9) * 0.03, 1e-15);
}

TEST(Average, KnowsNoIntervalOfSingleInstancesAndAnEmptyOneOfWhatIsConstant) {
  Average single, constant;
  single.add({0.5, std::nan(""), 0});
  constant.add({0.5, 0, 9});
  EXPECT_TRUE(std::isnan(single.half_width()));
  EXPECT_EQ(constant.half_width(), 0);
  EXPECT_EQ(constant.note(), "10 equal values");
  constant.add({0.6, 0, 9});
  EXPECT_EQ(constant.note(), "10 equal values each");
  constant.add({0.7, 0.1, 9});
  EXPECT_EQ(constant.note(), "");
}

TEST(Average, OfExactMeansSaysSo) {
  Average exact;
  exact.add({0.5, 0, kInfinity, 1e-5});
  EXPECT_EQ(exact.note(), "exact");
  EXPECT_EQ(exact.half_width(), 1e-5);
}

}  // namespace
}  // namespace coterie::sim
