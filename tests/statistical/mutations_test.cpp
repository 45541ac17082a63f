// The mutation list: for each sampler, simulator and evaluator the check that holds it, and a planted error that the
// same check catches. A check is only worth something if it can fail.
//
// False alarm: 11 checks, each at most 1e-8 by Dvoretzky-Kiefer-Wolfowitz [Massart 1990] or Hoeffding [1963], so 1.1e-7
// in all. The planted errors are deterministic for the fixed seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/risk.hpp"
#include "core/stream.hpp"
#include "sim/background.hpp"
#include "sim/campaign.hpp"
#include "sim/risks.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kSeed = 2013;
constexpr std::size_t kSamples = 200'000;
constexpr double kFalseAlarm = 1e-8;
const double kBound = std::sqrt(std::log(2 / kFalseAlarm) / (2.0 * kSamples));  // 0.0069, of DKW and of Hoeffding

// ---- samplers: interruption times ----

/// Greatest distance between the distribution of samples and the one they should have.
double distance(std::vector<double> samples, const Risk& risk) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double greatest = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::isinf(samples[i])) break;
    const double probability = risk.probability(samples[i]);
    greatest = std::max({greatest, std::abs(static_cast<double>(i + 1) / n - probability),
                         std::abs(static_cast<double>(i) / n - probability)});
  }
  return greatest;
}

std::vector<double> interruptions(const Risk& risk, const std::string& name) {
  const StreamKey key = StreamKey::derive(kSeed, identity_hash(name), Use::kInterruption);
  std::vector<double> uniforms(8);
  std::vector<double> times(8);
  std::vector<double> samples;
  for (std::uint64_t instance = 0; samples.size() < kSamples; ++instance) {
    worker_uniforms(key, instance, uniforms);
    risk.sample(uniforms, times);
    samples.insert(samples.end(), times.begin(), times.end());
  }
  samples.resize(kSamples);
  return samples;
}

class Samplers : public testing::TestWithParam<const char*> {};

TEST_P(Samplers, HaveTheirDistributionAndAnErrorShows) {
  const RiskPtr risk = RiskLibrary(".").get(GetParam());
  const std::vector<double> samples = interruptions(*risk, GetParam());
  EXPECT_LT(distance(samples, *risk), kBound);

  std::vector<double> slow = samples;  // a unit or a rate that is 10 % off
  for (double& time : slow) time *= 1.1;
  EXPECT_GT(distance(slow, *risk), kBound);
  std::vector<double> late = samples;  // survival in place of probability at the median: u for 1 - u above it
  const double median = risk->quantile(0.5);
  for (double& time : late) time = std::max(time, 0.2 * median);
  EXPECT_GT(distance(late, *risk), kBound);
  std::vector<double> stuck = samples;  // one draw in twenty is used for two workers
  for (std::size_t i = 0; i + 20 < stuck.size(); i += 20) stuck[i] = std::min(stuck[i], stuck[i + 1]);
  EXPECT_GT(distance(stuck, *risk), kBound);
}

INSTANTIATE_TEST_SUITE_P(Risks, Samplers,
                         testing::Values("linear", "linear(kappa=2)", "exponential(rate=2)",
                                         "weibull(shape=.7, scale=2)", "lognormal(median=1, sigma=1)",
                                         "mix(3 : linear, 2 : exponential(rate=1))"));

// ---- background simulator ----

// Without service and from no jobs, the number of jobs is a Poisson process of rate a, and the expected speed at time t
// is E[1 / (N(t) + 1)] = (1 - exp(-a t)) / (a t).
TEST(Mutations, TheBackgroundSimulatorHasItsExpectedCapacityAndAnErrorShows) {
  constexpr double kArrival = 1;
  constexpr double kHorizon = 2;
  const auto expected = [](double arrival) {
    double sum = 0;
    constexpr int kSteps = 20'000;  // midpoint rule, error below 1e-8
    for (int i = 0; i < kSteps; ++i) {
      const double at = arrival * kHorizon * (i + 0.5) / kSteps;
      sum += -std::expm1(-at) / at;
    }
    return kHorizon * sum / kSteps;
  };
  const auto background = make_background(Expression::parse("mm1(arrival=1, service=1e-9)"));
  const StreamKey key = StreamKey::derive(kSeed, identity_hash("background"), Use::kArrival);
  double sum = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    Stream stream(key, i, 0);
    sum += background->capacity(kHorizon, kHorizon, stream);
  }
  const double mean = sum / kSamples;

  EXPECT_LT(std::abs(mean - expected(kArrival)), kHorizon * kBound);
  EXPECT_GT(std::abs(mean - expected(1.05 * kArrival)), kHorizon * kBound);                 // a rate 5 % off
  EXPECT_GT(std::abs(mean - kHorizon / (1 + kArrival * kHorizon / 2)), kHorizon * kBound);  // the mean number of jobs
}

// ---- evaluators: what the engine's kernels do against the exact expectation ----

struct Evaluated {
  double mean;
  double expected;
};

Evaluated evaluate(const std::string& strategy, const std::string& grid) {
  const Campaign campaign = parse_campaign(
      "seed = 2013\ninstances = 1\nstrategies = [\"" + strategy + "\"]\n[grid]\n" + grid, "./campaign.toml");
  const auto trial =
      campaign.model->prepare({campaign.configurations[0], campaign.seed, campaign.strategies, *campaign.risks});
  std::vector<double> ratio(kSamples);
  std::vector<double> reference(kSamples);
  trial->run({0, kSamples, reference.data(), ratio.data(), kSamples});
  double sum = 0;
  for (std::size_t i = 0; i < kSamples; ++i) sum += ratio[i] * reference[i];
  return {sum / kSamples, trial->facts()[0].expected};
}

class Evaluators : public testing::TestWithParam<const char*> {};

TEST_P(Evaluators, AgreeWithTheExactExpectationAndAnErrorShows) {
  constexpr double kWork = 2;
  const std::string grid = "workers = 4\nwork = 2\nchunks = 10\nrisk = \"exponential(rate=1)\"\n";
  const Evaluated right = evaluate(GetParam(), grid + "startup = 0.02\n");
  EXPECT_LT(std::abs(right.mean - right.expected), kWork * kBound);

  // Mutants of the kernel: start-up costs that are forgotten, and a risk that is another one.
  const Evaluated no_startup = evaluate(GetParam(), grid + "startup = 0\n");
  EXPECT_GT(std::abs(no_startup.mean - right.expected), kWork * kBound);
  const Evaluated other_risk =
      evaluate(GetParam(), "workers = 4\nwork = 2\nchunks = 10\nrisk = \"exponential(rate=1.1)\"\nstartup = 0.02\n");
  EXPECT_GT(std::abs(other_risk.mean - right.expected), kWork * kBound);
}

INSTANTIATE_TEST_SUITE_P(Strategies, Evaluators,
                         testing::Values("greedy", "cyclic-replication", "no-replication", "brute"));

}  // namespace
}  // namespace coterie::sim
