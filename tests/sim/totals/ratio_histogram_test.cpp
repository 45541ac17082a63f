#include "sim/totals/ratio_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/statistics/statistics.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

std::vector<double> drawn_ratios(Dice& dice) {
  std::vector<double> ratios(dice.whole(1, 3000));
  const std::size_t kind = dice.whole(0, 4);
  for (double& ratio : ratios) {
    const double u = dice.real(0, 1);
    ratio = kind == 0   ? u
            : kind == 1 ? (u < 0.6 ? 1 : std::floor(8 * u) / 8)
            : kind == 2 ? 0.25
            : kind == 3 ? std::pow(u, 30)
                        : 1 - std::pow(u, 9) / 100;
  }
  return ratios;
}

RatioHistogram histogram_of(const std::vector<double>& ratios) {
  RatioHistogram histogram;
  for (const double ratio : ratios)
    histogram.add(static_cast<std::size_t>(std::floor(std::clamp(ratio, 0.0, 1.0) * RatioHistogram::kCells)), 1);
  return histogram;
}

// The stated error, against sorted ratios: none is farther off than one cell.
TEST(RatioHistogram, QuantilesAreWithinACell) {
  Dice dice("histograms");
  for (int round = 0; round < 300; ++round) {
    std::vector<double> ratios = drawn_ratios(dice);
    const RatioHistogram histogram = histogram_of(ratios);
    std::sort(ratios.begin(), ratios.end());
    ASSERT_EQ(histogram.count(), ratios.size());
    for (const double probability : {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0, dice.real(0, 1)}) {
      const double quantile = histogram.quantile(probability, ratios.front(), ratios.back());
      EXPECT_NEAR(quantile, quantile_of_sorted(ratios, probability), RatioHistogram::kWidth);
      EXPECT_GE(quantile, ratios.front());
      EXPECT_LE(quantile, ratios.back());
    }
    EXPECT_EQ(histogram.quantile(0, ratios.front(), ratios.back()), ratios.front());
    EXPECT_EQ(histogram.quantile(1, ratios.front(), ratios.back()), ratios.back());
  }
}

TEST(RatioHistogram, ARatioOfOneIsExact) {
  std::vector<double> ratios(100, 1);
  for (std::size_t i = 0; i < 30; ++i) ratios[i] = 0.5;
  const RatioHistogram histogram = histogram_of(ratios);
  EXPECT_EQ(histogram.quantile(0.5, 0.5, 1), 1);
  EXPECT_EQ(histogram.counts()[RatioHistogram::kCells], 70U);
  EXPECT_EQ(histogram.counts()[RatioHistogram::kCells / 2], 30U);
}

// What lies outside of [0, 1] is counted; where between the ends it lies is not known.
TEST(RatioHistogram, TellsNoQuantileOutside) {
  std::vector<double> ratios = {0.25, 0.5, 0.75, 1.5, 2, 2.5, 3};
  const RatioHistogram above = histogram_of(ratios);
  EXPECT_NEAR(above.quantile(1.0 / 6, 0.25, 3), 0.5, RatioHistogram::kWidth);
  EXPECT_TRUE(std::isnan(above.quantile(0.5, 0.25, 3)));
  EXPECT_EQ(above.quantile(1, 0.25, 3), 3);
  for (double& ratio : ratios) ratio -= 2;
  EXPECT_TRUE(std::isnan(histogram_of(ratios).quantile(0.25, -1.75, 1)));
  EXPECT_TRUE(std::isnan(RatioHistogram().quantile(0.5, 0, 1)));
}

// A quantile that is one of the ratios needs no other, and the least and the greatest are known wherever they lie.
TEST(RatioHistogram, TellsAQuantileBesideUnknownRatios) {
  std::vector<double> ratios(51, 0.5);
  ratios.resize(101, 1.5);
  ratios.back() = 2;
  const RatioHistogram halves = histogram_of(ratios);
  EXPECT_NEAR(halves.quantile(0.5, 0.5, 2), 0.5, RatioHistogram::kWidth);
  EXPECT_TRUE(std::isnan(halves.quantile(0.505, 0.5, 2)));
  EXPECT_EQ(histogram_of({1.3}).quantile(0.5, 1.3, 1.3), 1.3);
  std::vector<double> ones(60, 1);
  ones.push_back(1.2);
  EXPECT_TRUE(std::isnan(histogram_of(ones).quantile(0.5, 1, 1.2)));
}

TEST(RatioHistogram, AddsUp) {
  Dice dice("sums of histograms");
  std::vector<double> ratios = drawn_ratios(dice);
  RatioHistogram sum;
  for (std::size_t first = 0; first < ratios.size(); first += 100)
    sum.add(histogram_of({ratios.begin() + static_cast<std::ptrdiff_t>(first),
                          ratios.begin() + static_cast<std::ptrdiff_t>(std::min(first + 100, ratios.size()))}));
  EXPECT_EQ(sum, histogram_of(ratios));
}

}  // namespace
}  // namespace coterie::sim
