#include "sim/statistics/shortage_mean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/stream.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

constexpr double kFreedom = 249;

TEST(ShortageMean, OfWhatWasNeverSeenIsTheWholeRange) {
  ShortageMean none({0.9, 0}, {0.01, 0}, 0, 1);
  for (int i = 0; i < 250; ++i) none.add(0.95, 0);
  const MeanEstimate estimate = none.estimate(0.95, kFreedom);
  EXPECT_EQ(none.effective(), 0);
  EXPECT_NEAR(estimate.mean, 0.9 + 0.01 * 0.95, 1e-15);
  EXPECT_NEAR(estimate.half_width(), 0.01 * 0.95, 1e-15);  // the ratio may be 0 where capacity is short

  // A few that agree tell no more.
  for (int i = 0; i < 7; ++i) none.add(0.5, 0.2);
  EXPECT_NEAR(none.effective(), 7, 1e-12);
  EXPECT_NEAR(none.estimate(0.95, kFreedom).mean, 0.9 + 0.01 * 0.5, 1e-15);
  EXPECT_NEAR(none.estimate(0.95, kFreedom).half_width(), 0.01 * 0.5, 1e-15);
  // What other configurations have seen makes it no smaller.
  EXPECT_EQ(none.estimate(0.95, kFreedom).standard_error, 0);
  EXPECT_NEAR(none.estimate(0.95, kFreedom).bound, 0.01 * 0.5, 1e-15);
}

// Where some were seen the level is off by chance, to either side: over configurations such errors average out.
TEST(ShortageMean, OfWhatWasSeenIsTheWholeRangeByChance) {
  ShortageMean some({0.9, 0}, {0.01, 0}, 0, 1);
  for (int i = 0; i < 9; ++i) some.add(0.5, 0.2);
  const MeanEstimate estimate = some.estimate(0.95, kFreedom);
  EXPECT_NEAR(estimate.half_width(), 0.01 * 0.5, 1e-15);
  EXPECT_EQ(estimate.bound, 0);
  EXPECT_GT(estimate.standard_error, 0);
}

TEST(ShortageMean, IsAWeightedMeanWithItsError) {
  const StreamKey key = StreamKey::derive(7, identity_hash("shortage"), Use::kPlan);
  ShortageMean mean({0.6, 0}, {0.2, 0}, 0, 1);
  std::vector<double> shortage, value;
  double weights = 0, weighted = 0, squares = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    Stream stream(key, i, 0);
    shortage.push_back(to_uniform(stream()));
    value.push_back(0.4 + 0.3 * to_uniform(stream()));
    mean.add(value[i], shortage[i]);
    weights += shortage[i];
    weighted += shortage[i] * value[i];
    squares += shortage[i] * shortage[i];
  }
  const double level = weighted / weights;
  const double count = weights * weights / squares;
  double variance = 0, farthest = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const double left = shortage[i] * (value[i] - level) / weights;
    variance += left * left * count / (count - 1);
    farthest = std::max(farthest, std::abs(left));
  }
  const MeanEstimate estimate = mean.estimate(0.5, kFreedom);
  EXPECT_NEAR(mean.effective(), count, 1e-9);
  EXPECT_NEAR(estimate.mean, 0.6 + 0.2 * level, 1e-14);
  const auto half_width = [&](double unseen) {
    // Four effective instances tell one degree of freedom.
    return 0.2 * student_quantile(count / 4) * std::sqrt(variance + 2 * unseen * unseen);
  };
  // The farthest is looked up between levels, which may only add to it.
  EXPECT_GE(estimate.half_width(), half_width(farthest) * (1 - 1e-12));
  EXPECT_LE(estimate.half_width(), half_width(1.2 * farthest));
}

TEST(ShortageMean, RatiosThatAreAllAlikeProveNothing) {
  ShortageMean alike({0.6, 0}, {0.2, 0}, 0, 1);
  for (int i = 0; i < 400; ++i) alike.add(0.5, 0.1);
  EXPECT_TRUE(alike.alike());
  EXPECT_NEAR(alike.estimate(0.5, kFreedom).half_width(), 0.2 * student_quantile(399) * std::sqrt(2) * 0.5 / 400,
              1e-12);
  alike.add(0.6, 0.1);
  EXPECT_FALSE(alike.alike());
}

TEST(ShortageMean, ErrorsOfWhatIsKnownAddUp) {
  const ShortageMean sure({0.9, 0}, {0.01, 0}, 0, 1);
  const ShortageMean doubtful({0.9, 0.003}, {0.01, 0.002}, 0, 1);
  EXPECT_NEAR(doubtful.estimate(0.7, kFreedom).half_width(),
              sure.estimate(0.7, kFreedom).half_width() + 0.003 + 0.002 * 0.7, 1e-12);
  // A weight that rounding made negative is none.
  EXPECT_NEAR(ShortageMean({0.9, 0}, {-1e-9, 2e-9}, 0, 1).estimate(0.7, kFreedom).half_width(), 2e-9 * 0.7, 1e-15);
}

// Differences lie between -1 and 1, and so does their level.
TEST(ShortageMean, OfDifferences) {
  ShortageMean mean({0.1, 0}, {0.01, 0}, -1, 1);
  EXPECT_NEAR(mean.estimate(0, kFreedom).half_width(), 0.01, 1e-15);
  for (int i = 0; i < 40; ++i) mean.add(i % 2 == 0 ? 0.25 : -0.75, 0.5);
  EXPECT_NEAR(mean.estimate(0, kFreedom).mean, 0.1 - 0.01 * 0.25, 1e-15);
  EXPECT_LT(mean.estimate(0, kFreedom).half_width(), 0.003);
}

}  // namespace
}  // namespace coterie::sim
