#include "traces/change.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace coterie::traces {
namespace {

struct Plant {
  int hosts = 20;
  double length = 20;
  double shape = 0.7;    // of Weibull lives
  double together = 0;   // rate at which all hosts go down at once
  double unlike = 0;     // standard deviation of the logarithm of hosts' scales
  bool growing = false;  // hosts that join over the recording
  double factor = 1;     // by which spells that begin in the second half are shorter
};

AvailabilityTrace planted(const Plant& plant, std::mt19937_64& dice) {
  std::vector<double> drops;
  if (plant.together > 0) {
    std::exponential_distribution<double> wait(plant.together);
    for (double t = wait(dice); t < plant.length; t += wait(dice)) drops.push_back(t);
  }
  AvailabilityTrace trace;
  for (int h = 0; h < plant.hosts; ++h) {
    const double scale = std::exp(plant.unlike * std::normal_distribution<double>()(dice));
    double t = plant.growing ? std::uniform_real_distribution<double>(0, plant.length)(dice)
                             : -std::exponential_distribution<double>(0.2)(dice);
    while (t < plant.length) {
      double end =
          t + std::weibull_distribution<double>(plant.shape, scale)(dice) / (t > plant.length / 2 ? plant.factor : 1);
      const auto drop = std::upper_bound(drops.begin(), drops.end(), t);
      if (drop != drops.end()) end = std::min(end, *drop);
      const double begin = std::max(0.0, t);
      if (end > 0)
        trace.records.push_back(
            {"h" + std::to_string(h), begin, std::min(end, plant.length) - begin, end < plant.length, t < 0});
      t = std::max(end, t) + std::exponential_distribution<double>(3)(dice);
    }
  }
  return trace;
}

/// In how many of `recordings` a change is told at its level.
int told(const Plant& plant, int recordings, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  int found = 0;
  for (int i = 0; i < recordings; ++i) {
    const Change one = change(planted(plant, dice));
    EXPECT_TRUE(one.factor) << one.problem;
    found += one.p < Change::kDoubtful;
  }
  return found;
}

// 300 recordings of each kind: one in a hundred is told to have changed. More than 20 has a probability of 2e-11.
TEST(Change, IsRarelyToldOfRecordingsThatDoNotChange) {
  const Plant kinds[] = {{},
                         {.shape = 1, .together = 0.3},
                         {.together = 1},
                         {.hosts = 40, .unlike = 1},
                         {.hosts = 60, .shape = 0.6, .growing = true}};
  std::uint64_t seed = 1;
  for (const Plant& kind : kinds) EXPECT_LE(told(kind, 300, seed++), 20) << seed;
}

// More than half of 100 is missed with a probability below 1e-9 where four in five are told (of three times as many).
TEST(Change, IsToldWhereHostsBecomeThreeTimesAsShort) {
  EXPECT_GE(told({.factor = 3}, 100, 11), 50);
  EXPECT_GE(told({.shape = 1, .together = 0.3, .factor = 3}, 100, 12), 50);
}

// Exponential lives that become half as long. 300 recordings tell the mean of the logarithm within 0.01 (6 sigma 0.04).
TEST(Change, HasAFactorThatIsDrawnTowardsOne) {
  std::mt19937_64 dice(21);
  double sum = 0;
  for (int i = 0; i < 300; ++i)
    sum += std::log(change(planted({.hosts = 40, .length = 40, .shape = 1, .factor = 2}, dice)).factor.value());
  EXPECT_GT(std::exp(sum / 300), 1.5);
  EXPECT_LT(std::exp(sum / 300), 2.08);
}

/// 100 spells of one length and `more` of another, one after the other.
AvailabilityTrace chain(double early, double late, int more = 100) {
  AvailabilityTrace trace;
  double t = 0;
  for (int i = 0; i < 100 + more; ++i) {
    const double length = i < 100 ? early : late;
    trace.records.push_back({"a", t, length, true, false});
    t += length;
  }
  return trace;
}

// All of ten blocks are above all of ten others: 2 of 184756 orders. Alike ones: none is above another.
TEST(Change, HasTheLawOfRanks) {
  const Change all = change(chain(3, 1, 300));
  EXPECT_NEAR(all.p, 2.0 / 184756, 1e-12);
  EXPECT_NEAR(*all.factor, 300.5 / 225.5 / (100.5 / 175.5), 1e-9) << "hazards 3/4 at 1 and 1 at 3";
  const Change none = change(chain(1, 1));
  EXPECT_EQ(none.p, 1);
  EXPECT_NEAR(*none.factor, 1, 1e-9);
}

TEST(Change, IsNotToldWhereTheRecordingDoesNotTellIt) {
  AvailabilityTrace few = chain(1, 1);
  few.records.resize(99);
  EXPECT_NE(change(few).problem.find("only 99 interruptions"), std::string::npos);
  AvailabilityTrace left = chain(1, 1);
  for (std::size_t i = 0; i < 101; ++i) left.records[i].left_truncated = true;
  EXPECT_NE(change(left).problem.find("only 99 interruptions"), std::string::npos);
  AvailabilityTrace lengths = chain(1, 1);
  lengths.records[7].start.reset();
  EXPECT_NE(change(lengths).problem.find("does not say when"), std::string::npos);
  EXPECT_FALSE(change(lengths).factor);
}

TEST(Change, KeepsItsHeadWithTimesAtTheEndsOfDoubles) {
  AvailabilityTrace trace = chain(1, 1);
  trace.records[3].duration = 1e308;
  trace.records[4].duration = 1.7e308;
  trace.records[5].start = 1e308;
  trace.records[6].duration = 5e-324;
  EXPECT_TRUE(change(trace).factor);
}

}  // namespace
}  // namespace coterie::traces
