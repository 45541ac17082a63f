#include "heuristics/chunks/checkpoint_intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"
#include "core/mixture_risk.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr risk_of(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

TEST(CheckpointIntervals, YoungIsTheRootOfTwiceCostTimesMean) { EXPECT_DOUBLE_EQ(young_interval(5, 1000), 100); }

/// For exponential interruptions and restarts the work per time is greatest where 1 - x = exp(-(x + C) / M) with x in
/// units of M. [Daly 2006, Section 5]
TEST(CheckpointIntervals, DalyIsNearTheOptimumOfRestarts) {
  for (const double checkpoint : {0.001, 0.01, 0.1, 0.3}) {
    double low = 0, high = 1;
    for (int i = 0; i < 100; ++i) {
      const double x = (low + high) / 2;
      (std::exp(x + checkpoint) * (1 - x) > 1 ? low : high) = x;
    }
    // The root x of (1 - x) exp(x + C) = 1 is the best interval.
    EXPECT_NEAR(daly_interval(checkpoint, 1), low, 0.01 * low) << checkpoint;
    EXPECT_GT(std::abs(young_interval(checkpoint, 1) - low), std::abs(daly_interval(checkpoint, 1) - low));
  }
}

TEST(CheckpointIntervals, DalyIsTheMeanWhereCheckpointsCostMoreThanTwice) {
  EXPECT_EQ(daly_interval(2, 1), 1);
  EXPECT_EQ(daly_interval(7, 1), 1);
}

TEST(CheckpointIntervals, MeansOfKnownLaws) {
  EXPECT_NEAR(*mean_life(*risk_of("exponential(rate=4)")), 0.25, 1e-9);
  EXPECT_NEAR(*mean_life(*risk_of("linear(kappa=0.5)")), 1, 1e-12);
  EXPECT_NEAR(*mean_life(*risk_of("weibull(shape=0.5, scale=1)")), 2, 1e-7);
  EXPECT_NEAR(*mean_life(EmpiricalRisk({1, 2, 6}, "three")), 3, 1e-12);
  EXPECT_FALSE(mean_life(EmpiricalRisk(StepLaw{{1, 2}, {0.5, 0.25}}, "some stay")));
}

TEST(CheckpointIntervals, MeansThatRareLongLivesDecide) {
  EXPECT_NEAR(*mean_life(*risk_of("lognormal(median=1, sigma=5)")) / std::exp(12.5), 1, 1e-9);
  EXPECT_NEAR(*mean_life(*risk_of("lognormal(median=1, sigma=10)")) / std::exp(50), 1, 1e-9);
  EXPECT_NEAR(*mean_life(*risk_of("weibull(shape=0.1, scale=1)")) / 3628800, 1, 1e-9);
  EXPECT_NEAR(*mean_life(*risk_of("hyperexponential(p=1e-14, rate1=1e-20, rate2=1)")) / (1e6 + 1), 1, 1e-9);
}

TEST(CheckpointIntervals, MeanOfAMixtureOfStepsAndASlope) {
  const auto steps = std::make_shared<EmpiricalRisk>(std::vector<double>{1, 2, 6}, "three");
  EXPECT_NEAR(*mean_life(MixtureRisk({steps, risk_of("linear(kappa=0.5)")}, {1, 1}, "both")), 2, 1e-10);
}

TEST(CheckpointIntervals, TheLastChunkIsSmaller) {
  const Schedule schedule = *schedule_by_interval(1, 0.4, 0.1);
  ASSERT_EQ(schedule.pieces(), 3u);
  EXPECT_NEAR(schedule.piece_sizes()[2], 0.2, 1e-12);
  EXPECT_NEAR(last_finish(schedule), 1.3, 1e-12);
  EXPECT_EQ(schedule_by_interval(1, 0.25, 0.1)->pieces(), 4u);
  EXPECT_EQ(schedule_by_interval(1, 7, 0.1)->pieces(), 1u);
  EXPECT_FALSE(schedule_by_interval(1, 1e-9, 0.1));
}

}  // namespace
}  // namespace coterie::heuristics
