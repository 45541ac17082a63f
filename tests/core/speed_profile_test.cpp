#include "core/speed_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/rational.hpp"

namespace coterie {
namespace {

using testing::HasSubstr;

template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

struct Steps {
  std::vector<double> times;
  std::vector<double> speeds;
};

Steps random_steps(boost::random::mt19937& engine) {
  boost::random::uniform_int_distribution<int> count(1, 12);
  boost::random::uniform_real_distribution<double> gap(0.01, 2);
  boost::random::uniform_real_distribution<double> exponent(-3, 3);
  Steps steps;
  const int pieces = count(engine);
  double time = 0;
  for (int k = 0; k < pieces; ++k) {
    steps.times.push_back(time);
    steps.speeds.push_back(std::exp(exponent(engine)));
    time += gap(engine);
  }
  return steps;
}

/// The integral piece by piece in rationals: the definition, without prefix sums.
Rational exact_work(const Steps& steps, double from, double to) {
  Rational sum = 0;
  for (std::size_t k = 0; k < steps.times.size(); ++k) {
    const double begin = std::max(steps.times[k], from);
    const double end = k + 1 < steps.times.size() ? std::min(steps.times[k + 1], to) : to;
    if (begin < end) sum += (Rational(end) - Rational(begin)) * Rational(steps.speeds[k]);
  }
  return sum;
}

TEST(SpeedProfile, IsRightContinuous) {
  const SpeedProfile profile({0, 1, 3}, {2, 0.5, 4});

  EXPECT_EQ(profile.speed(0), 2);
  EXPECT_EQ(profile.speed(std::nextafter(1.0, 0.0)), 2);
  EXPECT_EQ(profile.speed(1), 0.5);
  EXPECT_EQ(profile.speed(1e9), 4);
  EXPECT_EQ(profile.work(3), 3);
  EXPECT_EQ(profile.work(4), 7);
  EXPECT_EQ(profile.time_of(2), 1);
  EXPECT_EQ(profile.time_of(2.5), 2);
  EXPECT_EQ(profile.time_of(7), 4);
  EXPECT_EQ(profile.mean_speed(0, 3), 1);
  EXPECT_EQ(profile.mean_speed(1, 1), 0.5);
}

TEST(SpeedProfile, IntegratesAsTheDefinitionDoesAndInverts) {
  boost::random::mt19937 engine(1);
  boost::random::uniform_real_distribution<double> anywhere(0, 20);
  for (int trial = 0; trial < 2000; ++trial) {
    const Steps steps = random_steps(engine);
    const SpeedProfile profile(steps.times, steps.speeds);
    const double a = anywhere(engine);
    const double b = anywhere(engine);
    const double from = std::min(a, b);
    const double to = std::max(a, b);

    const double between = to_double(exact_work(steps, from, to));
    const double whole = to_double(exact_work(steps, 0, to));

    ASSERT_NEAR(profile.work(to), whole, 1e-14 * whole) << trial;
    ASSERT_NEAR(profile.work(from, to), between, 2e-14 * between + 1e-13) << trial;
    ASSERT_NEAR(profile.time_of(whole), to, 1e-12 * (1 + to)) << trial;
    ASSERT_NEAR(profile.time_after(from, between), to, 1e-12 * (1 + to)) << trial;
  }
}

TEST(SpeedProfile, DominatesWhereItIsNeverSlower) {
  boost::random::mt19937 engine(2);
  int dominated = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Steps first = random_steps(engine);
    const Steps second = random_steps(engine);
    const SpeedProfile one(first.times, first.speeds);
    const SpeedProfile other(second.times, second.speeds);
    bool everywhere = true;
    for (const Steps* steps : {&first, &second})
      for (const double time : steps->times) everywhere = everywhere && one.speed(time) >= other.speed(time);

    ASSERT_EQ(one.dominates(other), everywhere) << trial;
    ASSERT_TRUE(one.dominates(one)) << trial;
    dominated += everywhere;
  }
  EXPECT_GT(dominated, 10);
}

TEST(SpeedProfile, TurnsBackgroundJobsIntoSpeed) {
  const JobSequence jobs{{0, 0.5, 1}, {0, 1, 3}};

  const SpeedProfile equal(jobs, SharingRule(2), 4);
  const SpeedProfile half(jobs, SharingRule({2, 4}, SharingRule::Beyond::kLastLevel), 4);

  EXPECT_EQ(equal.speed(0.2), 1 / 8.0);
  EXPECT_EQ(equal.speed(0.5), 1 / 16.0);
  EXPECT_EQ(equal.speed(2), 1 / 32.0);
  EXPECT_EQ(half.speed(2), 1 / 16.0);
  EXPECT_EQ(half.pieces(), 2U) << "equal neighbours are one piece";
  EXPECT_EQ(SpeedProfile(JobSequence{}, SharingRule(2)).speed(3), 0.5);
}

TEST(SpeedProfile, RefusesWhatIsNoProfile) {
  const double inf = kInfinity;
  const SharingRule plain(1);
  const SharingRule two({1, 2}, SharingRule::Beyond::kRefused);

  EXPECT_THAT(complaint([&] { SpeedProfile({{0, 1}, {0, 2}}, two); }), HasSubstr("3 jobs"));
  EXPECT_THAT(complaint([&] { SpeedProfile({{1}, {0}}, plain); }), HasSubstr("must start at 0"));
  EXPECT_THAT(complaint([&] { SpeedProfile({{0, 2, 1}, {0, 1, 2}}, plain); }), HasSubstr("1 comes after 2"));
  EXPECT_THAT(complaint([&] { SpeedProfile({{0, 2, 2}, {0, 1, 2}}, plain); }), HasSubstr("2 comes after 2"));
  EXPECT_THAT(complaint([&] { SpeedProfile({{0, inf}, {0, 1}}, plain); }), HasSubstr("finite"));
  EXPECT_THAT(complaint([&] { SpeedProfile({{0}, {-1}}, plain); }), HasSubstr("counts must be"));
  EXPECT_THAT(complaint([&] { SpeedProfile({{0, 1}, {0}}, plain); }), HasSubstr("2 times but 1 counts"));
  EXPECT_THAT(complaint([&] { SharingRule(0.0); }), HasSubstr("positive"));
  EXPECT_THAT(complaint([&] { SharingRule({}, SharingRule::Beyond::kRefused); }), HasSubstr("at least"));
  EXPECT_THAT(complaint([&] { SharingRule({2, 1}, SharingRule::Beyond::kRefused); }), HasSubstr("faster than alone"));
  EXPECT_THAT(complaint([&] { SpeedProfile(0.0); }), HasSubstr("positive"));
  EXPECT_THAT(complaint([&] { SpeedProfile({0.0, 1.0}, {1.0, inf}); }), HasSubstr("finite"));
}

}  // namespace
}  // namespace coterie
