// The mutation list: for each sampler, simulator and evaluator the check that holds it, and a planted error that the
// same check catches. A check is only worth something if it can fail.
//
// False alarm: 20 checks, each at most 1e-9 by Dvoretzky-Kiefer-Wolfowitz [Massart 1990], Hoeffding [1963] or the
// chi-square limit. The planted errors are deterministic for the fixed seed. tests/README.md lists all statistical
// tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/risk.hpp"
#include "core/stream.hpp"
#include "core/ties.hpp"
#include "sim/campaign/campaign.hpp"
#include "sim/input/risks.hpp"
#include "sim/sampling/background.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kSeed = 2013;
constexpr std::size_t kSamples = 200'000;
constexpr double kFalseAlarm = 1e-9;

/// Of DKW and of Hoeffding, for values in [0, 1].
double bound_of(std::size_t samples) {
  return std::sqrt(std::log(2 / kFalseAlarm) / (2.0 * static_cast<double>(samples)));
}

const double kBound = bound_of(kSamples);  // 0.0073

// ---- samplers: interruption times ----

/// Greatest distance between the distribution of samples and the one they should have, looked at just below and just
/// above each sample, as the laws of traces jump at them.
double distance(std::vector<double> samples, const Risk& risk) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double greatest = 0;
  for (std::size_t i = 0; i < samples.size() && !std::isinf(samples[i]);) {
    const double below = static_cast<double>(i) / n;
    std::size_t next = i + 1;
    while (next < samples.size() && samples[next] == samples[i]) ++next;
    const double above = static_cast<double>(next) / n;
    greatest = std::max({greatest, std::abs(below - risk.probability(std::nextafter(samples[i], 0.0))),
                         std::abs(above - risk.probability(std::nextafter(just_after(samples[i]), samples[i] + 1)))});
    i = next;
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

constexpr const char* kTraces = COTERIE_TEST_DATA "/../../traces/bundled";

class Samplers : public testing::TestWithParam<const char*> {};

TEST_P(Samplers, HaveTheirDistributionAndAnErrorShows) {
  const RiskPtr risk = RiskLibrary(kTraces).get(GetParam());
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
                                         "hyperexponential(p=.3, rate1=.5, rate2=5)",
                                         "mix(3 : linear, 2 : exponential(rate=1))",
                                         "trace(file=condor-synthetic.durations)",
                                         "trace(file=condor-synthetic.durations, estimator=kaplan-meier, age=600)",
                                         "trace(file=condor-synthetic.durations, age=stationary)"));

// Workers of drawn ages are, taken together, workers met at a random moment of their lives.
TEST(Mutations, DrawnAgesMakeTheStationaryLawAndAnErrorShows) {
  constexpr std::size_t kWorkers = 20'000;
  RiskLibrary library(kTraces);
  const std::string drawn = "trace(file=condor-synthetic.durations, normalise=none, age=drawn)";
  const auto risks =
      library.resolve(drawn)->of_workers(kWorkers, StreamKey::derive(kSeed, identity_hash("ages"), Use::kAge));
  ASSERT_EQ(risks.size(), kWorkers);
  std::vector<double> uniforms(kWorkers);
  worker_uniforms(StreamKey::derive(kSeed, identity_hash("drawn"), Use::kInterruption), 0, uniforms);
  std::vector<double> times(kWorkers);
  for (std::size_t w = 0; w < kWorkers; ++w) times[w] = risks[w]->quantile(uniforms[w]);

  const auto law = [&](const char* age) {
    return library.get("trace(file=condor-synthetic.durations, normalise=none, age=" + std::string(age) + ")");
  };
  EXPECT_LT(distance(times, *law("stationary")), bound_of(kWorkers));
  EXPECT_GT(distance(times, *law("0")), bound_of(kWorkers));  // ages that are forgotten
}

// ---- samplers: random orders ----

// Fisher and Yates make each of the 6 orders of 3 equally likely; to swap each with any, as is often done, makes some
// of them 5/27 and others 4/27.
TEST(Mutations, RandomOrdersAreUniformAndAnErrorShows) {
  constexpr int kOrders = 20'000;
  const Campaign campaign = parse_campaign(
      "model = \"now\"\nseed = 2013\ninstances = 1\nstrategies = [\"random-orders\"]\n[grid]\nworkers = 3\n"
      "lifespan = 10\n",
      "./campaign.toml");
  const auto trial =
      campaign.model->prepare({campaign.configurations[0], campaign.seed, campaign.strategies, *campaign.risks});
  std::map<std::vector<int>, double> starts;
  std::map<std::vector<int>, double> finishes;
  for (std::uint64_t i = 0; i < kOrders; ++i) {
    const auto row = trial->replay(i)["strategies"][0];
    ++starts[row["start"].get<std::vector<int>>()];
    ++finishes[row["finish"].get<std::vector<int>>()];
  }
  const std::map<std::vector<int>, double> fair = {{{0, 1, 2}, 1. / 6}, {{0, 2, 1}, 1. / 6}, {{1, 0, 2}, 1. / 6},
                                                   {{1, 2, 0}, 1. / 6}, {{2, 0, 1}, 1. / 6}, {{2, 1, 0}, 1. / 6}};
  const std::map<std::vector<int>, double> naive = {{{0, 1, 2}, 4. / 27}, {{0, 2, 1}, 5. / 27}, {{1, 0, 2}, 5. / 27},
                                                    {{1, 2, 0}, 5. / 27}, {{2, 0, 1}, 4. / 27}, {{2, 1, 0}, 4. / 27}};
  const auto chi_square = [](std::map<std::vector<int>, double>& counts, const auto& law) {
    double sum = 0;
    for (const auto& [order, share] : law) {
      const double expected = share * kOrders;
      sum += (counts[order] - expected) * (counts[order] - expected) / expected;
    }
    return sum;
  };
  const double most = quantile(complement(boost::math::chi_squared(5), kFalseAlarm));
  for (auto* counts : {&starts, &finishes}) {
    EXPECT_LT(chi_square(*counts, fair), most);
    EXPECT_GT(chi_square(*counts, naive), most);
  }
}

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
                         testing::Values("greedy", "refined", "cyclic-replication", "no-replication",
                                         "random-replication", "brute"));

}  // namespace
}  // namespace coterie::sim
