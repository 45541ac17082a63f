#include "heuristics/background/time_varying.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <numeric>

#include "heuristics/background/time_varying_certificate.hpp"

namespace coterie::heuristics {
namespace {

using Engine = boost::random::mt19937;

double uniform(Engine& engine, double low, double high) {
  return boost::random::uniform_real_distribution<double>(low, high)(engine);
}

int whole(Engine& engine, int low, int high) { return boost::random::uniform_int_distribution<int>(low, high)(engine); }

constexpr double kTcm = 1;
constexpr double kTcp = 4;

SpeedProfile processor(double inverse_speed, const JobSequence& jobs = {}) {
  return SpeedProfile(jobs, SharingRule(inverse_speed), kTcp);
}

SpeedProfile link(double inverse_bandwidth, const JobSequence& jobs = {}) {
  return SpeedProfile(jobs, SharingRule(inverse_bandwidth), kTcm);
}

/// The test background of Section 4.1: each job stays between two uniform times of [0, 50].
JobSequence sorted_pairs(Engine& engine, int jobs) {
  std::vector<std::pair<double, int>> changes;
  for (int k = 0; k < jobs; ++k) {
    const double first = uniform(engine, 0, 50);
    const double second = uniform(engine, 0, 50);
    changes.emplace_back(std::min(first, second), 1);
    changes.emplace_back(std::max(first, second), -1);
  }
  std::sort(changes.begin(), changes.end());
  JobSequence sequence{{0}, {0}};
  for (const auto& [time, change] : changes) {
    sequence.times.push_back(time);
    sequence.counts.push_back(sequence.counts.back() + change);
  }
  return sequence;
}

enum class Links { kShared, kIndependent };

/// Up to 8 workers of any speed, up to 40 jobs; links sorted and under one connection process, or anyhow.
TimeVaryingTree random_tree(Engine& engine, Links links) {
  const int workers = whole(engine, 0, 8);
  const int jobs = whole(engine, 0, 40);
  TimeVaryingTree tree{processor(uniform(engine, 0.3, 3), sorted_pairs(engine, jobs)), {}, {}};
  const JobSequence shared = sorted_pairs(engine, jobs);
  double inverse_bandwidth = uniform(engine, 0.05, 1);
  for (int i = 0; i < workers; ++i) {
    tree.processors.push_back(processor(std::exp(uniform(engine, -2, 2)), sorted_pairs(engine, jobs)));
    if (links == Links::kShared) {
      tree.links.push_back(link(inverse_bandwidth, shared));
      inverse_bandwidth += uniform(engine, 0, 0.5);
    } else {
      tree.links.push_back(link(std::exp(uniform(engine, -3, 1)), sorted_pairs(engine, jobs)));
    }
  }
  return tree;
}

/// The system of the paper's Section 4: W = 1, Z_i = 1 + 0.1 i (time-varying-2019, E2).
TimeVaryingTree paper_tree() {
  return {processor(1), std::vector<SpeedProfile>(3, processor(1)), {link(1.1), link(1.2), link(1.3)}};
}

/// The published search on slots, read forward: the first T_f = 0, slot, 2 slot, ... at which the shares reach 1.
/// T_i by bisection of the defining equation of the paper, (5b) and Algorithm 2, by plain integrals.
class SlottedSearch {
 public:
  explicit SlottedSearch(const TimeVaryingTree& tree) : tree_(tree) {}

  double sum(double finish) const {
    double sum = tree_.control.work(finish);
    double previous = 0;
    for (std::size_t i = 0; i < tree_.links.size(); ++i) {
      double low = previous;
      double high = finish;
      for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        const double sent = tree_.links[i].work(middle) - tree_.links[i].work(previous);
        const double computed = tree_.processors[i].work(finish) - tree_.processors[i].work(middle);
        (sent < computed ? low : high) = middle;
      }
      sum += tree_.links[i].work(low) - tree_.links[i].work(previous);
      previous = low;
    }
    return sum;
  }

  double first(double slot) const {
    double finish = 0;
    while (sum(finish) < 1) finish += slot;
    return finish;
  }

 private:
  const TimeVaryingTree& tree_;
};

TEST(TimeVarying, SolvesTableTwoToAllDigits) {
  const ConstantTree constant{1 / kTcp, std::vector<double>(3, 1 / kTcp), {1 / 1.1, 1 / 1.2, 1 / 1.3}};
  const double printed[] = {0.3517, 0.2759, 0.2122, 0.1602};

  for (const TreeSchedule& schedule :
       {solve_constant(constant), solve_by_sweep(paper_tree()), solve_by_newton(paper_tree())}) {
    EXPECT_NEAR(schedule.finish_time, 1.4070, 5e-5);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(schedule.shares[i], printed[i], 5e-5) << i;
    // x_0 = 1/4, x_i = (1 - tau_{i-1}) / (Z_i + 4) in rationals.
    EXPECT_NEAR(schedule.finish_time, 1.4069810508613700, 1e-15);
    EXPECT_NEAR(schedule.start_times[3], 0.7663339973373107, 1e-15);
    EXPECT_LT(schedule.residual, 1e-15);
  }
}

TEST(TimeVarying, SolvesOneJobOnOneWorkerByHand) {
  const TimeVaryingTree tree{processor(1), {processor(1, {{0, 0.5, 1}, {0, 1, 0}})}, {link(1)}};

  for (const TreeSchedule& schedule : {solve_by_sweep(tree), solve_by_newton(tree)}) {
    EXPECT_NEAR(schedule.finish_time, 7.0 / 3, 1e-15);
    EXPECT_NEAR(schedule.start_times[1], 5.0 / 12, 1e-15);
    EXPECT_NEAR(schedule.shares[0], 7.0 / 12, 1e-15);
    EXPECT_NEAR(schedule.shares[1], 5.0 / 12, 1e-15);
  }
}

TEST(TimeVarying, ControlAloneFinishesWhenItsSpeedAddsUpToOne) {
  const TimeVaryingTree tree{processor(1, {{0, 2}, {0, 1}}), {}, {}};

  EXPECT_DOUBLE_EQ(solve_by_sweep(tree).finish_time, 6);
  EXPECT_DOUBLE_EQ(solve_by_newton(tree).finish_time, 6);
}

TEST(TimeVarying, SweepStopsAtTheSmallestOfThreeRoots) {
  const TimeVaryingTree tree{
      processor(4), {processor(0.1, {{0, 2}, {19, 0}}), processor(0.4, {{0, 2}, {0, 999}})}, {link(4), link(0.1)}};
  const SlottedSearch slotted(tree);
  std::vector<double> roots;
  for (double finish = 0; finish < 16; finish += 1e-3)
    if ((slotted.sum(finish) < 1) != (slotted.sum(finish + 1e-3) < 1)) roots.push_back(finish);

  ASSERT_EQ(roots.size(), 3U);
  EXPECT_NEAR(roots[0], 1.8588, 1e-3);
  EXPECT_NEAR(roots[1], 2.0347, 1e-3);
  EXPECT_NEAR(roots[2], 3.4503, 1e-3);
  EXPECT_FALSE(has_one_root(tree));
  EXPECT_NEAR(solve_by_sweep(tree).finish_time, 1.8587699316628705, 1e-14);
  EXPECT_NEAR(solve_time_varying(tree).finish_time, 1.8587699316628705, 1e-14);
  // Leaving the slow first link out finishes earlier: stopping together is not optimal here.
  const TimeVaryingTree without_first{tree.control, {tree.processors[1]}, {tree.links[1]}};
  EXPECT_NEAR(solve_by_sweep(without_first).finish_time, 1 / (1 / 16.0 + 10 / 17.0), 1e-15);
}

/// The second link is faster, but with constant speeds all shares are proportional to the finish time.
TEST(TimeVarying, ConstantSpeedsHaveOneRoot) {
  const TimeVaryingTree tree{SpeedProfile(1), {SpeedProfile(1), SpeedProfile(1)}, {SpeedProfile(0.5), SpeedProfile(1)}};

  EXPECT_TRUE(has_one_root(tree));
  EXPECT_NEAR(solve_time_varying(tree).finish_time, 2.0 / 3, 1e-15);
}

TEST(TimeVarying, BothSolversAgreeOnThousandsOfProblems) {
  Engine engine(2019);
  for (int trial = 0; trial < 4000; ++trial) {
    const TimeVaryingTree tree = random_tree(engine, Links::kShared);

    ASSERT_TRUE(has_one_root(tree)) << trial;
    const TreeSchedule swept = solve_by_sweep(tree);
    const TreeSchedule newton = solve_by_newton(tree);

    ASSERT_NEAR(swept.finish_time, newton.finish_time, 1e-13 * swept.finish_time) << trial;
    ASSERT_LT(swept.residual, 1e-13) << trial;
    ASSERT_LT(newton.residual, 1e-13) << trial;
    for (std::size_t i = 0; i < swept.shares.size(); ++i) {
      ASSERT_NEAR(swept.shares[i], newton.shares[i], 1e-13) << trial;
      ASSERT_GE(swept.shares[i], 0) << trial;
    }
  }
}

TEST(TimeVarying, SweepIsAtTheFirstCrossingWhateverTheLinks) {
  Engine engine(2020);
  int several = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const TimeVaryingTree tree = random_tree(engine, Links::kIndependent);
    const TreeSchedule swept = solve_by_sweep(tree);
    const double slot = swept.finish_time / 400;

    ASSERT_LT(swept.residual, 1e-13) << trial;
    const SlottedSearch slotted(tree);
    ASSERT_NEAR(slotted.sum(swept.finish_time), 1, 1e-9) << trial;
    for (double finish = slot; finish < swept.finish_time * (1 - 1e-9); finish += slot)
      ASSERT_LT(slotted.sum(finish), 1) << trial << " at " << finish;
    several += !(std::abs(solve_by_newton(tree).finish_time / swept.finish_time - 1) < 1e-9);
  }
  RecordProperty("problems_with_several_roots", several);
}

TEST(TimeVarying, PublishedSearchOnSlotsComesToTheSamePoint) {
  Engine engine(2021);
  for (int trial = 0; trial < 50; ++trial) {
    const TimeVaryingTree tree = random_tree(engine, Links::kShared);
    const double exact = solve_time_varying(tree).finish_time;
    if (exact > 30) continue;

    const double slotted = SlottedSearch(tree).first(0.01);

    ASSERT_GE(slotted, exact - 1e-9) << trial;
    ASSERT_LE(slotted, exact + 0.01 + 1e-9) << trial;
  }
}

TEST(TimeVarying, ExactArithmeticConfirmsTheRoot) {
  Engine engine(2022);
  for (int trial = 0; trial < 300; ++trial) {
    const TimeVaryingTree tree = random_tree(engine, trial % 2 == 0 ? Links::kShared : Links::kIndependent);
    const TreeSchedule schedule = solve_time_varying(tree);

    const RootCertificate certificate = certify(tree, schedule);

    ASSERT_TRUE(certificate.holds) << trial;
    ASSERT_LE(certificate.error, 1e-13 * schedule.finish_time) << trial;
  }
  TreeSchedule wrong = solve_time_varying(paper_tree());
  wrong.finish_time *= 1.001;
  EXPECT_GT(certify(paper_tree(), wrong).error, 1e-4) << "a wrong finish time must not pass";
}

TEST(TimeVarying, WithoutBackgroundIsTheConstantSolution) {
  Engine engine(2023);
  for (int trial = 0; trial < 500; ++trial) {
    TimeVaryingTree tree{processor(uniform(engine, 0.1, 4)), {}, {}};
    ConstantTree constant{tree.control.speed(0), {}, {}};
    for (int i = whole(engine, 0, 40); i > 0; --i) {
      tree.processors.push_back(processor(std::exp(uniform(engine, -3, 3))));
      tree.links.push_back(link(std::exp(uniform(engine, -3, 3))));
      constant.processors.push_back(tree.processors.back().speed(0));
      constant.links.push_back(tree.links.back().speed(0));
    }

    const TreeSchedule closed = solve_constant(constant);
    const TreeSchedule swept = solve_by_sweep(tree);

    ASSERT_NEAR(swept.finish_time, closed.finish_time, 1e-13 * closed.finish_time) << trial;
    for (std::size_t i = 0; i < closed.shares.size(); ++i)
      ASSERT_NEAR(swept.shares[i], closed.shares[i], 1e-13) << trial;
    ASSERT_LT(closed.residual, 1e-14) << trial;
  }
}

/// Theorems 1 and 2: with the equivalent constants of the solution, the constant problem has the same solution.
TEST(TimeVarying, EquivalentConstantsGiveTheSameSchedule) {
  Engine engine(2024);
  for (int trial = 0; trial < 500; ++trial) {
    const TimeVaryingTree tree = random_tree(engine, Links::kIndependent);
    const TreeSchedule schedule = solve_time_varying(tree);
    const double finish = schedule.finish_time;
    ConstantTree constant{tree.control.mean_speed(0, finish), {}, {}};
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const auto& starts = schedule.start_times;
      constant.processors.push_back(tree.processors[i].mean_speed(starts[i + 1], finish));
      constant.links.push_back(tree.links[i].mean_speed(starts[i], starts[i + 1]));
    }

    const TreeSchedule same = solve_constant(constant);

    ASSERT_NEAR(same.finish_time, finish, 1e-11 * finish) << trial;
    for (std::size_t i = 0; i < same.shares.size(); ++i) ASSERT_NEAR(same.shares[i], schedule.shares[i], 1e-10);
  }
}

TEST(TimeVarying, RealisedSharesStopTogetherAndNoOtherSharesStopEarlier) {
  Engine engine(2025);
  for (int trial = 0; trial < 400; ++trial) {
    const TimeVaryingTree tree = random_tree(engine, Links::kShared);
    const TreeSchedule best = solve_time_varying(tree);

    const TreeSchedule again = realise(tree, best.shares);

    ASSERT_NEAR(again.finish_time, best.finish_time, 1e-12 * best.finish_time) << trial;
    for (std::size_t i = 0; i < best.shares.size(); ++i)
      ASSERT_NEAR(again.start_times[i], best.start_times[i], 1e-12 * best.finish_time) << trial;
    for (int change = 0; change < 20; ++change) {
      std::vector<double> other = best.shares;
      const double size = change % 2 == 0 ? 1 : 0.01;  // far away, and near
      for (double& share : other) share = std::max(0.0, share + size * uniform(engine, -1, 1));
      const double sum = std::accumulate(other.begin(), other.end(), 0.0);
      if (sum <= 0) continue;
      for (double& share : other) share /= sum;
      ASSERT_GE(realise(tree, other).finish_time, best.finish_time * (1 - 1e-12)) << trial;
    }
  }
}

TEST(TimeVarying, ScalesWithTheUnitOfTime) {
  Engine engine(2026);
  for (int trial = 0; trial < 200; ++trial) {
    const JobSequence jobs = sorted_pairs(engine, 20);
    const double factor = uniform(engine, 1e-3, 1e3);
    JobSequence stretched = jobs;
    for (double& time : stretched.times) time *= factor;
    const auto make = [](const JobSequence& sequence, double unit) {
      return TimeVaryingTree{SpeedProfile(sequence, SharingRule(1), 4 * unit),
                             std::vector<SpeedProfile>(2, SpeedProfile(sequence, SharingRule(2), 4 * unit)),
                             std::vector<SpeedProfile>(2, SpeedProfile(sequence, SharingRule(0.5), unit))};
    };

    const double plain = solve_time_varying(make(jobs, 1)).finish_time;
    const double scaled = solve_time_varying(make(stretched, factor)).finish_time;

    ASSERT_NEAR(scaled, plain * factor, 1e-12 * scaled) << trial;
  }
}

TEST(TimeVarying, SurvivesManyWorkersAndExtremeSpeeds) {
  TimeVaryingTree tree{processor(1, {{0, 1}, {0, 1000000}}), {}, {}};
  for (int i = 0; i < 2000; ++i) {
    tree.processors.push_back(processor(i % 2 == 0 ? 1e-9 : 1e9, {{0, 1e-7, 1e-5}, {0, 5, 0}}));
    tree.links.push_back(link(1e-3));
  }

  for (const TreeSchedule& schedule : {solve_by_sweep(tree), solve_by_newton(tree)}) {
    // The fastest processor does 2.5e8 loads a unit of time: a rounding of its start by 1e-17 is 2.5e-9 of the load.
    EXPECT_LT(schedule.residual, 2.5e-9);
    EXPECT_TRUE(std::is_sorted(schedule.start_times.begin(), schedule.start_times.end()));
    EXPECT_GT(schedule.finish_time, 0);
    EXPECT_GE(*std::min_element(schedule.shares.begin(), schedule.shares.end()), 0);
  }
}

}  // namespace
}  // namespace coterie::heuristics
