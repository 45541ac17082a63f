#include "heuristics/background/rate_estimation.hpp"

#include <gtest/gtest.h>

#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie::heuristics {
namespace {

TEST(RateEstimation, WeighsAsWritten) {
  const RateEstimate estimate = estimate_rate({1, 2, 4}, {1, 2, 3});

  EXPECT_DOUBLE_EQ(estimate.rate, 6.0 / 17);
  EXPECT_DOUBLE_EQ(estimate.effective_size, 36.0 / 14);
  EXPECT_DOUBLE_EQ(estimate.corrected, 6.0 / 17 * (1 - 14.0 / 36));
}

TEST(RateEstimation, ExpectedFactorIsTheClosedFormOfTwoIntervals) {
  // w = (1/3, 2/3): integral of 1 / ((1 + u/3)(1 + 2u/3)) = ln(2) / (1/3).
  EXPECT_NEAR(expected_factor({1, 2}), 3 * std::log(2.0), 1e-9);
  EXPECT_DOUBLE_EQ(expected_factor(equal_weights(5)), 1.25);
  EXPECT_EQ(expected_factor({1}), kInfinity);
  EXPECT_EQ(estimate_rate({1}, {1}).corrected, 0);
}

TEST(RateEstimation, EffectiveSizeGrowsWithLinearWeightsAndNotWithGeometricOnes) {
  const std::size_t n = 2000;
  const std::vector<double> ones(n, 1.0);

  EXPECT_NEAR(estimate_rate(ones, linear_weights(n)).effective_size, 0.75 * static_cast<double>(n), 2);
  EXPECT_NEAR(estimate_rate(ones, geometric_weights(n, 0.9)).effective_size, 1.9 / 0.1, 1e-9);
}

/// 100 000 estimates from 20 intervals each: mean within 6 standard deviations (false alarm 2e-9 for each of 2 x 3).
TEST(RateEstimation, BiasIsAsPredictedAndNearlyGoneAfterCorrection) {
  constexpr std::size_t kIntervals = 20;
  constexpr std::uint64_t kEstimates = 100'000;
  const double rate = 2.5;
  const StreamKey key = StreamKey::derive(2019, identity_hash("bias"), Use::kArrival);
  for (const auto& weights :
       {equal_weights(kIntervals), linear_weights(kIntervals), geometric_weights(kIntervals, 0.8)}) {
    double sum = 0;
    double squares = 0;
    RateEstimate estimate;
    for (std::uint64_t k = 0; k < kEstimates; ++k) {
      Stream engine(key, k, 0);
      boost::random::exponential_distribution<double> exponential(rate);
      std::vector<double> intervals;
      for (std::size_t i = 0; i < kIntervals; ++i) intervals.push_back(exponential(engine));
      estimate = estimate_rate(intervals, weights);
      sum += estimate.rate;
      squares += estimate.rate * estimate.rate;
    }
    const auto n = static_cast<double>(kEstimates);
    const double mean = sum / n;
    const double deviation = std::sqrt((squares / n - mean * mean) / n);

    EXPECT_NEAR(mean, rate * expected_factor(weights), 6 * deviation);
    EXPECT_GT(mean - rate, 6 * deviation) << "the bias must be seen";
    const double corrected = expected_factor(weights) * (1 - 1 / estimate.effective_size);
    EXPECT_LT(std::abs(corrected - 1), 0.3 * (expected_factor(weights) - 1));
  }
}

TEST(RateEstimation, IsCorrectedTooMuchWhereWeightsFadeFast) {
  const auto corrected_factor = [](double ratio) {
    const std::vector<double> weights = geometric_weights(200, ratio);
    return expected_factor(weights) * (1 - 1 / estimate_rate(std::vector<double>(200, 1.0), weights).effective_size);
  };
  EXPECT_NEAR(corrected_factor(0.9), 1, 0.005);
  EXPECT_NEAR(corrected_factor(0.5), 0.92, 0.005);
  EXPECT_NEAR(corrected_factor(0.1), 0.47, 0.005);
}

TEST(RateEstimation, TakesGeometricWeightsOfAnyNumberOfIntervals) {
  constexpr std::size_t kMany = 1100;  // 0.5^1099 is no double
  EXPECT_NEAR(estimate_rate(std::vector(kMany, 0.25), geometric_weights(kMany, 0.5)).rate, 4, 1e-12);
}

TEST(RateEstimation, RefusesWhatGivesNoRate) {
  const double inf = kInfinity;
  EXPECT_THROW(estimate_rate({}, {}), InputError);
  EXPECT_THROW(estimate_rate({1, 2}, {1}), InputError);
  EXPECT_THROW(estimate_rate({1, -2}, {1, 1}), InputError);
  EXPECT_THROW(estimate_rate({1, inf}, {1, 1}), InputError);
  EXPECT_THROW(estimate_rate({0, 0}, {1, 1}), InputError);
  EXPECT_THROW(estimate_rate({1, 2}, {2, 1}), InputError);
  EXPECT_THROW(estimate_rate({1, 2}, {0, 1}), InputError);
  EXPECT_THROW(geometric_weights(3, 1.1), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
