#include "sim/statistics/control_variates.hpp"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <limits>

#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

constexpr BoundedNumber kUnknown{std::numeric_limits<double>::quiet_NaN(), 0};

/// y = 3 + 2 (x1 - 1/2) - x2 + noise, with E x1 = 1/2 and E x2 = 0.
struct Linear {
  boost::random::mt19937 random;
  boost::random::uniform_01<> uniform;
  boost::random::normal_distribution<> normal;
  double noise = 0.1;

  explicit Linear(std::uint32_t seed) : random(seed) {}
  double next(double* controls) {
    controls[0] = uniform(random);
    controls[1] = normal(random);
    return 3 + 2 * (controls[0] - 0.5) - controls[1] + noise * normal(random);
  }
};

MeanEstimate of_linear(std::uint32_t seed, std::size_t n, std::vector<BoundedNumber> means, double noise = 0.1) {
  Linear model(seed);
  model.noise = noise;
  ControlledMean mean(std::move(means), Sampling::kRandom);
  for (std::size_t i = 0; i < n; ++i) {
    double controls[2];
    const double y = model.next(controls);
    mean.add(i, y, controls);
  }
  return mean.estimate();
}

TEST(ControlledMean, WithoutControlsIsThePlainMean) {
  const std::vector<double> values = {1, 4, 2, 8, 5, 7};
  ControlledMean mean({}, Sampling::kRandom, 0, ValueRange::kAny);
  for (std::size_t i = 0; i < values.size(); ++i) mean.add(i, values[i], {});
  const Summary summary = summarise(values);
  EXPECT_EQ(mean.plain().standard_error, mean.estimate().standard_error);
  EXPECT_NEAR(mean.estimate().mean, summary.mean, 1e-15);
  EXPECT_NEAR(mean.estimate().standard_error, summary.standard_error, 1e-15);
  EXPECT_EQ(mean.estimate().freedom, 5);
  EXPECT_NEAR(mean.estimate().efficiency_gain(), 1, 1e-12);
}

TEST(ControlledMean, LeavesWhatTheControlsDoNotExplain) {
  const MeanEstimate estimate = of_linear(1, 4000, {{0.5, 0}, {0, 0}});
  // That of the residuals, known to 1.1 %, at least; the jackknife's is below 2.1 times it (chi-square, 1e-9), and for
  // Student's t of 14 degrees of freedom.
  EXPECT_GT(estimate.standard_error, 0.93 * 0.1 / std::sqrt(4000.0));
  EXPECT_LT(estimate.standard_error, 2.1 * 1.1 * 0.1 / std::sqrt(4000.0));
  // The variance was 4/12 + 1 + 0.01.
  EXPECT_NEAR(estimate.efficiency_gain(), (4.0 / 12 + 1.01) / 4000 / std::pow(estimate.standard_error, 2), 15);
  EXPECT_NEAR(estimate.mean, 3, 6.2 * 0.1 / std::sqrt(4000.0));  // false alarm 1e-9
}

TEST(ControlledMean, AnExactRelationLeavesTheErrorOfTheKnownMeans) {
  const MeanEstimate exact = of_linear(1, 500, {{0.5, 0}, {0, 0}}, 0);
  EXPECT_NEAR(exact.mean, 3, 1e-12);
  EXPECT_LT(exact.standard_error, 1e-8);
  const MeanEstimate rough = of_linear(1, 500, {{0.5, 1e-3}, {0, 1e-2}}, 0);
  EXPECT_LT(rough.standard_error, 1e-8);
  EXPECT_NEAR(rough.bound, 2e-3 + 1e-2, 1e-6);
  EXPECT_NEAR(rough.half_width(), rough.bound, 1e-7);
  EXPECT_NEAR(student_quantile(rough.freedom) * rough.whole_error(), rough.half_width(), 1e-12);
}

TEST(ControlledMean, LeavesOutWhatIsUnknownConstantOrTwiceThere) {
  const MeanEstimate one = of_linear(7, 300, {{0.5, 0}, kUnknown});
  Linear model(7);
  ControlledMean twice({{0.5, 0}, kUnknown, {2, 0}, {1, 0}}, Sampling::kRandom);  // 4 x1, and one that is always 1
  for (std::size_t i = 0; i < 300; ++i) {
    double controls[2];
    const double y = model.next(controls);
    const double all[] = {controls[0], controls[1], 4 * controls[0], 1};
    twice.add(i, y, all);
  }
  EXPECT_NEAR(twice.estimate().mean, one.mean, 1e-12);
  EXPECT_NEAR(twice.estimate().standard_error, one.standard_error, 1e-12);
  EXPECT_LT(one.standard_error, one.plain_error);
}

// A control whose mean is made by values that were never met takes others with it, but no indicator.
TEST(ControlledMean, IndicatorsAreJudgedByThemselves) {
  Linear model(11);
  ControlledMean alone({{0.5, 0}}, Sampling::kRandom, 1);
  ControlledMean indicator({{0.5, 0}, {100, 0}}, Sampling::kRandom, 1);
  ControlledMean none({{0.5, 0}, {100, 0}}, Sampling::kRandom);
  for (std::size_t i = 0; i < 400; ++i) {
    double controls[2];
    const double noise = model.next(controls);
    const double all[] = {controls[0] > 0.5 ? 1.0 : 0.0, controls[1]};
    const double y = 5 * all[0] + 0.01 * noise;
    alone.add(i, y, std::span(all).first(1));
    indicator.add(i, y, all);
    none.add(i, y, all);
  }
  EXPECT_EQ(indicator.estimate().mean, alone.estimate().mean);
  EXPECT_LT(indicator.estimate().standard_error, 0.05 * indicator.estimate().plain_error);
  EXPECT_DOUBLE_EQ(none.estimate().standard_error, none.estimate().plain_error);
}

TEST(ControlledMean, FewInstancesArePlain) {
  const MeanEstimate few = of_linear(3, 30, {{0.5, 0}, {0, 0}});
  EXPECT_EQ(few.standard_error, few.plain_error);
  const MeanEstimate one = of_linear(3, 1, {{0.5, 0}, {0, 0}});
  EXPECT_TRUE(std::isnan(one.standard_error) && !std::isnan(one.mean));
  EXPECT_TRUE(std::isnan(ControlledMean({}, Sampling::kRandom).estimate().mean));
}

/// Of many samples of 160 of a curved relation, where ordinary regression would be biased: the mean error in standard
/// errors, and the share of the intervals that hold the mean.
struct Errors {
  double mean = 0;
  double held = 0;
};
Errors errors_of_samples(double known_mean) {
  constexpr int kSamples = 5'000;
  boost::random::mt19937 random(2013);
  boost::random::uniform_01<> uniform;
  Errors errors;
  for (int k = 0; k < kSamples; ++k) {
    ControlledMean mean({{known_mean, 0}}, Sampling::kRandom);
    for (std::size_t i = 0; i < 160; ++i) {
      const double x = uniform(random);
      mean.add(i, x * x * x, std::span(&x, 1));
    }
    const MeanEstimate estimate = mean.estimate();
    errors.mean += (estimate.mean - 0.25) / estimate.standard_error / kSamples;
    errors.held += (std::abs(estimate.mean - 0.25) <= estimate.half_width() ? 1.0 : 0.0) / kSamples;
  }
  return errors;
}

// 5000 samples: the mean of the errors has a standard deviation of at most 0.014 standard errors, a share of 95 % one
// of 0.3 %; six of them are a false alarm of 2e-9 each.
TEST(ControlledMean, IsUnbiasedAndItsIntervalsHoldTheMean) {
  const Errors errors = errors_of_samples(0.5);
  EXPECT_NEAR(errors.mean, 0, 0.09);
  EXPECT_GT(errors.held, 0.95 - 0.019);
  EXPECT_LT(errors.held, 0.98);
  // A known mean that is off by 2 % of the spread is caught.
  EXPECT_GT(std::abs(errors_of_samples(0.506).mean), 0.2);
}

TEST(ControlledMean, OfReplicatesGoesByTheirMeans) {
  // In each replicate all values are alike: plain statistics would see 1600 instances, there are 16.
  ControlledMean mean({}, Sampling::kSobol);
  std::vector<double> shifts;
  boost::random::mt19937 random(5);
  boost::random::uniform_01<> uniform;
  for (std::size_t r = 0; r < kReplicates; ++r) shifts.push_back(uniform(random));
  for (std::uint64_t i = 0; i < 100 * kReplicates; ++i) mean.add(i, shifts[replicate_of(i)], {});
  const Summary summary = summarise(shifts);
  // Student's t of 10 degrees of freedom, told as that of 15.
  EXPECT_NEAR(mean.estimate().half_width(), 2.228138852 * summary.stddev / 4, 1e-9);
  EXPECT_EQ(mean.estimate().freedom, 15);
  EXPECT_NEAR(mean.estimate().standard_error, 2.228138852 / 2.131449546 * summary.stddev / 4, 1e-9);
}

// In each replicate half of the values are 1: all means are the same, and tell nothing of their error.
TEST(ControlledMean, OfReplicatesThatAgreeHasTheErrorOfIndependentInstances) {
  ControlledMean plain({}, Sampling::kSobol);
  ControlledMean controlled({{0.25, 0}}, Sampling::kSobol);
  for (std::uint64_t i = 0; i < 64 * kReplicates; ++i) {
    const std::uint64_t point = i / kReplicates;
    const double value = point % 2 == 1 ? 1 : 0;
    const double control = point % 4 == 1 ? 1 : 0;  // explains a third of the variance
    plain.add(i, value, {});
    controlled.add(i, value, std::span(&control, 1));
  }
  const double error = 0.5 / std::sqrt(64.0 * kReplicates);
  EXPECT_NEAR(plain.estimate().standard_error, error, 0.01 * error);
  EXPECT_EQ(plain.estimate().standard_error, plain.estimate().plain_error);
  EXPECT_NEAR(controlled.estimate().mean, 0.5, 1e-12);
  EXPECT_NEAR(controlled.estimate().standard_error, error * std::sqrt(2.0 / 3), 0.01 * error);
}

}  // namespace
}  // namespace coterie::sim
