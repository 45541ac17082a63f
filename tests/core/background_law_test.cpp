#include "core/background_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie {
namespace {

/// E n(t) by uniformisation of the queue cut off at 400 jobs: sum_k Poisson(k; rate t) (initial P^k).
double transient_mean(const BackgroundLaw& law, double time) {
  constexpr std::size_t kStates = 400;
  const double rate = law.arrival + law.service;
  std::vector<double> now(kStates, 0.0);
  now[static_cast<std::size_t>(law.initial)] = 1;
  double mean = 0;
  for (int jump = 0; jump < 400; ++jump) {
    double count = 0;
    for (std::size_t n = 0; n < kStates; ++n) count += static_cast<double>(n) * now[n];
    mean += std::exp(jump * std::log(rate * time) - rate * time - std::lgamma(jump + 1.0)) * count;
    std::vector<double> next(kStates, 0.0);
    for (std::size_t n = 0; n < kStates; ++n) {
      const auto jobs = static_cast<double>(n);
      const double shared = law.departures == BackgroundLaw::Departures::kShared ? jobs / (jobs + 1) : 1;
      const double up = n + 1 < kStates ? law.arrival / rate : 0;
      const double down = n > 0 ? law.service * shared / rate : 0;
      if (up > 0) next[n + 1] += up * now[n];
      if (down > 0) next[n - 1] += down * now[n];
      next[n] += (1 - up - down) * now[n];
    }
    now = next;
  }
  return mean;
}

std::int64_t count_at(const JobSequence& jobs, double time) {
  std::size_t k = 0;
  while (k + 1 < jobs.times.size() && jobs.times[k + 1] <= time) ++k;
  return jobs.counts[k];
}

struct Sample {
  double mean = 0;
  double deviation = 0;  // of the mean
};

Sample sampled_mean(const BackgroundLaw& law, double time, std::uint64_t paths) {
  const StreamKey key = StreamKey::derive(2019, identity_hash("transient"), Use::kArrival);
  double sum = 0;
  double squares = 0;
  for (std::uint64_t path = 0; path < paths; ++path) {
    BackgroundPath<Stream> background(law, Stream(key, path, 0));
    background.extend(time);
    const auto count = static_cast<double>(count_at(background.jobs(), time));
    sum += count;
    squares += count * count;
  }
  const auto n = static_cast<double>(paths);
  return {sum / n, std::sqrt((squares / n - sum / n * (sum / n)) / n)};
}

// Each comparison below is a mean of 100 000 independent paths against 6 standard deviations: 2e-9 a comparison by the
// normal limit, at most 1e-7 in all with the skewness of these counts (10 comparisons).
constexpr double kDeviations = 6;
constexpr std::uint64_t kPaths = 100'000;

TEST(BackgroundLaw, TransientMeanIsThatOfTheQueue) {
  using enum BackgroundLaw::Departures;
  for (const BackgroundLaw& law : {BackgroundLaw{0.1, 0.125, 0, kFull}, BackgroundLaw{0.8, 1, 5, kFull},
                                   BackgroundLaw{2, 1, 0, kFull}, BackgroundLaw{0.8, 1, 3, kShared}}) {
    for (const double time : {1.4, 20.0}) {
      const double exact = transient_mean(law, time);

      const Sample sample = sampled_mean(law, time, kPaths);

      EXPECT_NEAR(sample.mean, exact, kDeviations * sample.deviation) << law.arrival << " at " << time;
      EXPECT_GT(std::abs(sample.mean - exact * 1.1), kDeviations * sample.deviation) << "a wrong mean must be seen";
    }
  }
}

TEST(BackgroundLaw, EquilibriumMeanIsReachedInTheLongRun) {
  const BackgroundLaw full{0.5, 1, 0, BackgroundLaw::Departures::kFull};
  const BackgroundLaw shared{0.5, 1, 0, BackgroundLaw::Departures::kShared};
  for (const BackgroundLaw& law : {full, shared}) {
    ASSERT_NEAR(transient_mean(law, 150), law.equilibrium_mean(), 1e-4);
    const Sample sample = sampled_mean(law, 150, kPaths);
    EXPECT_NEAR(sample.mean, law.equilibrium_mean(), kDeviations * sample.deviation);
  }
  EXPECT_DOUBLE_EQ(full.equilibrium_mean(), 1);
  EXPECT_DOUBLE_EQ(shared.equilibrium_mean(), 2);
  EXPECT_THROW((BackgroundLaw{1, 1}.equilibrium_mean()), InputError);
  EXPECT_THROW((BackgroundLaw{2, 1}.equilibrium_mean()), InputError);
}

TEST(BackgroundLaw, PathDoesNotDependOnItsExtensions) {
  const BackgroundLaw law{3, 4, 2};
  const StreamKey key = StreamKey::derive(7, 0, Use::kArrival);
  BackgroundPath<Stream> once(law, Stream(key, 1, 2));
  BackgroundPath<Stream> often(law, Stream(key, 1, 2));

  once.extend(64);
  for (double horizon = 0.5; horizon <= 64; horizon *= 2) often.extend(horizon);

  EXPECT_EQ(once.jobs().times, often.jobs().times);
  EXPECT_EQ(once.jobs().counts, often.jobs().counts);
  EXPECT_GT(once.jobs().times.size(), 100U);
  EXPECT_NO_THROW(once.jobs().validate());
  for (std::size_t k = 1; k < once.jobs().counts.size(); ++k)
    ASSERT_EQ(std::abs(once.jobs().counts[k] - once.jobs().counts[k - 1]), 1);
}

TEST(BackgroundLaw, WithoutArrivalsNothingHappensAfterTheLastDeparture) {
  BackgroundPath<Stream> path({0, 1, 3}, Stream(StreamKey::derive(7, 0, Use::kArrival), 0, 0));

  path.extend(1e6);

  EXPECT_EQ(path.jobs().counts, (std::vector<std::int64_t>{3, 2, 1, 0}));
}

// Within 1e-13 of the logarithm, everywhere: the ends, around powers of 2 and of sqrt(2), and numbers between.
TEST(BackgroundLaw, ExponentialsAreLogarithmsOfTheirUniforms) {
  std::vector<std::uint32_t> words = {0, 1, 2, 0xfffffffe, 0xffffffff};
  for (int bit = 2; bit < 32; ++bit)
    for (const double start : {1.0, std::sqrt(2.0), 1 / std::sqrt(2.0)})
      for (const std::uint32_t step : {0u, 1u, 2u})
        words.push_back(static_cast<std::uint32_t>(std::min(std::ldexp(start, bit), 4294967293.0)) - 1 + step);
  Stream stream(StreamKey::derive(7, 0, Use::kArrival), 0, 0);
  for (int i = 0; i < 100'000; ++i) words.push_back(stream());
  for (const std::uint32_t word : words) {
    const long double exact = -std::log((static_cast<long double>(word) + 0.5L) / 4294967296.0L);
    ASSERT_NEAR(to_exponential(word), static_cast<double>(exact), 1e-13 * static_cast<double>(exact)) << word;
    ASSERT_GT(to_exponential(word), 0) << word;
  }
}

TEST(BackgroundLaw, ChangesComeByTheirRates) {
  using enum BackgroundLaw::Departures;
  const BackgroundLaw full{1, 3, 0, kFull};
  EXPECT_EQ(full.change(0).mean_time, 1);
  EXPECT_EQ(full.change(0).arrival, std::uint64_t{1} << 32);
  EXPECT_EQ(full.change(2).mean_time, 0.25);
  EXPECT_EQ(full.change(2).arrival, std::uint64_t{1} << 30);
  EXPECT_EQ((BackgroundLaw{1, 6, 0, kShared}.change(1).arrival), std::uint64_t{1} << 30);
  EXPECT_EQ((BackgroundLaw{0, 1}.change(5).arrival), 0U);
  EXPECT_EQ((BackgroundLaw{0, 1}.change(0).mean_time), kInfinity);
}

TEST(BackgroundLaw, RefusesRatesThatAreNone) {
  const double inf = kInfinity;
  for (const BackgroundLaw& law :
       {BackgroundLaw{-1, 1}, BackgroundLaw{1, 0}, BackgroundLaw{1, -2}, BackgroundLaw{inf, 1}, BackgroundLaw{1, inf},
        BackgroundLaw{std::nan(""), 1}, BackgroundLaw{1, 1, -1}})
    EXPECT_THROW(law.validate(), InputError);
  BackgroundPath<Stream> endless({1e9, 1}, Stream(StreamKey::derive(7, 0, Use::kArrival), 0, 0));
  EXPECT_THROW(endless.extend(1), RuntimeError);
}

}  // namespace
}  // namespace coterie
