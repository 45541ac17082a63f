#include "sim/backtest/scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

const std::vector<double> kPromised = {1, 2, 2, 2, kInfinity};

TEST(Scores, AnAtomCountsForTheRangeAsMuchAsTheRangeTakesOfIt) {
  const Rank middle = rank_of(2, kPromised);
  EXPECT_DOUBLE_EQ(middle.below, 0.2);
  EXPECT_DOUBLE_EQ(middle.up_to, 0.8);
  EXPECT_DOUBLE_EQ(middle.within(0.8), 1);
  EXPECT_DOUBLE_EQ(middle.within(0.3), 0.5);
  EXPECT_DOUBLE_EQ(middle.by(0.5), 0.5);

  const Rank never = rank_of(kInfinity, kPromised);
  EXPECT_DOUBLE_EQ(never.within(0.8), 0.5);
  EXPECT_DOUBLE_EQ(never.by(0.8), 0);
  EXPECT_DOUBLE_EQ(rank_of(0.5, kPromised).within(0.95), 0);
}

TEST(Scores, WhatIsSeenAsPromisedIsWithinEachRangeAsOftenAsItSays) {
  for (const double range : {0.5, 0.8, 0.95}) {
    double sum = 0;
    for (const double seen : kPromised) sum += rank_of(seen, kPromised).within(range);
    EXPECT_NEAR(sum / 5, range, 1e-12);
  }
}

/// Two plans with sums of errors 1 and -1: variance 2 / (2 - 1) x 2 / 4^2, times 12.706 of Student's t.
TEST(Scores, WindowsOfOnePlanCountTogether) {
  const std::vector<double> values = {1, 1, 0, 1};
  const std::vector<std::size_t> plans = {0, 0, 1, 1};

  const Score found = score(values, plans);

  EXPECT_DOUBLE_EQ(found.mean, 0.75);
  EXPECT_NEAR(found.high - found.mean, 12.7062 * std::sqrt(2 * (0.25 + 0.25) / 16), 1e-3);
  EXPECT_DOUBLE_EQ(share_score(values, plans).high, 1);
}

TEST(Scores, SharesThatAreEqualInAllWindowsAreNotCertain) {
  const std::vector<double> values(20, 1.0);
  std::vector<std::size_t> plans(20);
  for (std::size_t i = 0; i < 20; ++i) plans[i] = i / 2;

  EXPECT_NEAR(share_score(values, plans).low, std::pow(0.025, 1 / 20.0), 1e-9);  // [Clopper and Pearson 1934]
}

}  // namespace
}  // namespace coterie::sim
