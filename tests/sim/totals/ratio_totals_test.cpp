#include "sim/totals/ratio_totals.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

TEST(TotalSeries, EachHasItsOwnPlace) {
  for (std::size_t strategies = 1; strategies < 12; ++strategies) {
    const TotalSeries series{strategies};
    std::set<std::size_t> places = {TotalSeries::reference()};
    for (std::size_t s = 0; s < strategies; ++s) places.insert(TotalSeries::ratio(s));
    for (std::size_t a = 0; a < strategies; ++a)
      for (std::size_t b = a + 1; b < strategies; ++b) places.insert(series.difference(a, b));
    EXPECT_EQ(places.size(), series.count());
    EXPECT_EQ(*places.rbegin() + 1, series.count());
  }
}

TEST(RatioTotals, HaveTheMomentsOfEachRatioAndOfTheDifferenceOfEachTwo) {
  Dice dice("series");
  constexpr std::size_t kStrategies = 4, kInstances = 57, kStride = 60;
  std::vector<double> reference(kInstances), ratios(kStrategies * kStride);
  for (double& value : reference) value = dice.real(0, 9);
  for (double& value : ratios) value = dice.real(0, 1);
  const BlockTree::Moments moments = moments_of_block(reference, ratios.data(), kStride, kStrategies);
  const TotalSeries series{kStrategies};
  ASSERT_EQ(moments.size(), series.count());
  EXPECT_EQ(moments[TotalSeries::reference()], moments_of(reference));
  for (std::size_t a = 0; a < kStrategies; ++a) {
    const std::span<const double> of_a(ratios.data() + a * kStride, kInstances);
    EXPECT_EQ(moments[TotalSeries::ratio(a)], moments_of(of_a));
    for (std::size_t b = 0; b < kStrategies; ++b) {
      std::vector<double> apart;
      for (std::size_t i = 0; i < kInstances; ++i) apart.push_back(of_a[i] - ratios[b * kStride + i]);
      const ValueMoments difference = series.difference(moments, a, b);
      const ValueMoments wanted = moments_of(apart);
      EXPECT_EQ(difference.count, wanted.count);
      EXPECT_EQ(difference.mean, wanted.mean);
      EXPECT_EQ(difference.squares, wanted.squares);
      EXPECT_EQ(difference.least, wanted.least);
      EXPECT_EQ(difference.greatest, wanted.greatest);
    }
  }
}

TEST(RatioTotals, RefuseWhatIsNoNumber) {
  const std::vector<double> reference = {1, 1};
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), kInfinity}) {
    const std::vector<double> ratios = {0.5, odd};
    EXPECT_THROW(moments_of_block(reference, ratios.data(), 2, 1), RuntimeError);
  }
}

}  // namespace
}  // namespace coterie::sim
