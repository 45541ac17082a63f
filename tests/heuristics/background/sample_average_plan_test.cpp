#include "heuristics/background/sample_average_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <numeric>

#include "core/errors.hpp"

namespace coterie::heuristics {
namespace {

RandomTree loaded_tree(int workers, double arrival, double service) {
  RandomTree tree{1, 4, {SharingRule(1.0), 0}, {}, {}, {{arrival, service}, {arrival, service}}};
  for (int i = 1; i <= workers; ++i) {
    tree.processes.push_back({arrival, service});
    tree.processors.push_back({SharingRule(1.0), tree.processes.size() - 1});
    tree.links.push_back({SharingRule(1 + 0.1 * i), 1});
  }
  return tree;
}

StreamKey key(const char* name = "sample") { return StreamKey::derive(2019, identity_hash(name), Use::kArrival); }

TEST(SampleAveragePlan, SlopesAreDifferences) {
  boost::random::mt19937 engine(3);
  boost::random::uniform_real_distribution<double> uniform(0.05, 1);
  const RandomTree tree = loaded_tree(4, 3, 2);
  int compared = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const TimeVaryingTree speeds = SampledBackground(tree, key(), trial).until(200);
    std::vector<double> shares(5);
    for (double& share : shares) share = uniform(engine);
    const Sensitivity here = sensitivity(speeds, shares);
    ASSERT_EQ(here.finish_time, realise(speeds, shares).finish_time);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      constexpr double kStep = 1e-8;
      std::vector<double> more = shares;
      std::vector<double> less = shares;
      more[i] += kStep;
      less[i] -= kStep;
      const double right = (realise(speeds, more).finish_time - here.finish_time) / kStep;
      const double left = (here.finish_time - realise(speeds, less).finish_time) / kStep;
      if (std::abs(right - left) > 1e-5 * (1 + right)) continue;  // a kink lies within the step
      ASSERT_NEAR(here.slopes[i], right, 1e-5 * (1 + right)) << trial << " share " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1400) << "of 1500";
}

/// One worker: a scan of its share in steps of 1/1000 finds nothing better.
TEST(SampleAveragePlan, IsTheBestSplitOfTwoProcessors) {
  constexpr std::uint64_t kTrials = 300;
  for (const double rate : {0.5, 5.0}) {
    const RandomTree tree = loaded_tree(1, rate, 1.25 * rate);
    const BackgroundPlan plan = plan_by_sample_average(tree, key(), kTrials);
    std::vector<TimeVaryingTree> backgrounds;
    for (std::uint64_t trial = 0; trial < kTrials; ++trial)
      backgrounds.push_back(SampledBackground(tree, key(), trial).until(300));
    double least = 1e300;
    for (int k = 0; k <= 1000; ++k) {
      const double share = k / 1000.0;
      double sum = 0;
      for (const TimeVaryingTree& background : backgrounds) {
        const double finish = realise(background, {1 - share, share}).finish_time;
        ASSERT_LT(finish, 300);
        sum += finish;
      }
      least = std::min(least, sum / kTrials);
    }

    EXPECT_LE(plan.schedule.finish_time, least * (1 + 1e-4)) << rate;
    EXPECT_GE(plan.schedule.finish_time, least * (1 - 1e-3)) << rate;
  }
}

TEST(SampleAveragePlan, BeatsThePublishedPlansOnItsSampleAndOnAFreshOne) {
  constexpr std::uint64_t kTrials = 1000;
  for (const double rate : {0.1, 1.0, 10.0}) {
    const RandomTree tree = loaded_tree(3, rate, 1.25 * rate);
    const BackgroundPlan best = plan_by_sample_average(tree, key(), kTrials);
    const auto fresh = [&](const BackgroundPlan& plan) {
      return realised_mean(tree, plan.schedule.shares, key("fresh"), 4000);
    };
    const RealisedMean mine = fresh(best);
    EXPECT_NEAR(std::accumulate(best.schedule.shares.begin(), best.schedule.shares.end(), 0.0), 1, 1e-12);
    for (const BackgroundPlan& other : {plan_by_simulation(tree, key(), kTrials),
                                        plan_iteratively(tree, key(), kTrials), plan_before_correction(tree)}) {
      double sum = 0;
      for (std::uint64_t trial = 0; trial < kTrials; ++trial)
        sum += SampledBackground(tree, key(), trial).realise(other.schedule.shares).finish_time;
      EXPECT_LE(best.schedule.finish_time, sum / kTrials * (1 + 1e-12)) << rate;
      // Same backgrounds for both plans; 6 standard errors of one mean bound the difference amply (below 1e-8).
      EXPECT_LT(mine.mean, fresh(other).mean + 6 * mine.standard_error) << rate;
    }
  }
}

TEST(SampleAveragePlan, WithoutBackgroundIsTheExactOptimum) {
  const RandomTree tree = loaded_tree(5, 0, 1);

  EXPECT_NEAR(plan_by_sample_average(tree, key(), 3).schedule.finish_time,
              plan_without_background(tree).schedule.finish_time, 1e-12);
}

TEST(SampleAveragePlan, RefusesMoreTrialsThanFitInMemoryAtOnce) {
  const RandomTree tree = loaded_tree(4, 0.1, 0.125);
  EXPECT_THROW(plan_by_sample_average(tree, key(), 100'000'000), InputError);
  EXPECT_THROW(plan_by_sample_average(tree, key(), std::uint64_t{1} << 62), InputError);
  // Few pieces up to four times the time that it takes without jobs, but many up to the end.
  RandomTree slow = loaded_tree(3, 8, 0.001);
  slow.control.process.reset();
  for (RandomMachine& link : slow.links) link.process.reset();
  EXPECT_THROW(plan_by_sample_average(slow, key(), 10'000), InputError);
  // Few pieces, since many jobs are there nearly always, but many changes.
  RandomTree floor = loaded_tree(2, 2000, 1);
  const SharingRule half({1, 2}, SharingRule::Beyond::kLastLevel);
  floor.control.rule = half;
  for (RandomMachine& machine : floor.processors) machine.rule = half;
  for (RandomMachine& link : floor.links) link.rule = half;
  EXPECT_THROW(plan_by_sample_average(floor, key(), 3000), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
