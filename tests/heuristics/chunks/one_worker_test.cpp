#include "heuristics/chunks/one_worker.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/empirical_risk.hpp"
#include "core/rational.hpp"
#include "core/stream.hpp"
#include "heuristics/chunks/chunk_search.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

/// Equation (6) with exactly m chunks, and the last chunk's size; X = 1.
std::pair<Rational, Rational> theorem_4(const Rational& work, int m, const Rational& startup) {
  const Rational free = Rational(m, m + 1) - m * startup / 2;
  const Rational deployed = std::min(work, free);
  const Rational value = deployed - Rational(m + 1, 2 * m) * deployed * deployed -
                         Rational(m + 1, 2) * (deployed - Rational(m * (m - 1), 12) * startup) * startup;
  return {value, deployed / m - (m - 1) * startup / 2};
}

TEST(OneWorker, LinearRiskIsTheBestOfEquationSixOverAllNumbersOfChunks) {
  for (int w = 1; w <= 24; ++w)
    for (int e = 1; e <= 60; e += (e < 12 ? 1 : 7))
      for (const int n : {1, 2, 3, 7, 40}) {
        const Rational work(w, 12);
        const Rational startup(e, 60);
        Rational best = 0;
        int chunks = 0;
        for (int m = 1; m <= n; ++m)
          if (const auto [value, last] = theorem_4(work, m, startup); last > 0 && value > best) {
            best = value;
            chunks = m;
          }
        const OneWorkerSolution solution = charged_linear_chunks(to_double(work), n, to_double(startup), 1);
        ASSERT_NEAR(solution.expected_work, to_double(best), 1e-13 * to_double(best) + 1e-17)
            << w << " " << e << " " << n;
        ASSERT_EQ(solution.chunk_sizes.size(), static_cast<std::size_t>(chunks)) << w << " " << e << " " << n;
        ASSERT_NEAR(expected_work(to_schedule(solution), make_linear_risk()), to_double(best), 1e-13);
      }
}

/// Best E over chunk sizes that are multiples of `cell`, by trying them all.
double best_on_lattice(double work, int chunks, double startup, double cell, const Risk& law) {
  double best = 0;
  const std::function<void(double, double, double, int)> extend = [&](double used, double time, double value,
                                                                      int left) {
    best = std::max(best, value);
    if (left == 0) return;
    for (int k = 1; used + k * cell <= work + 1e-9 * cell; ++k) {
      const double finish = time + k * cell + startup;
      extend(used + k * cell, finish, value + k * cell * law.survival(finish), left - 1);
    }
  };
  extend(0, 0, 0, chunks);
  return best;
}

TEST(OneWorker, IsNeverBeatenByALattice) {
  for (const char* text :
       {"linear(kappa=0.7)", "exponential(rate=2)", "weibull(shape=0.5, scale=1)", "weibull(shape=4, scale=1)",
        "lognormal(median=0.5, sigma=1)", "hyperexponential(p=0.6, rate1=20, rate2=0.2)"})
    for (const double startup : {0.0, 0.05, 0.3})
      for (const double work : {0.3, 1.0, 2.5})
        for (const int chunks : {1, 2, 4}) {
          const RiskPtr law = risk(text);
          const OneWorkerSolution solution = optimal_chunks({work, chunks, startup, law});
          const double lattice = best_on_lattice(work, chunks, startup, work / 30, *law);
          const std::string what = fmt::format("{} {} {} {}", text, startup, work, chunks);
          ASSERT_LE(lattice, solution.expected_work * (1 + 1e-13)) << what;
          ASSERT_GE(lattice, solution.expected_work * 0.97) << what;
          ASSERT_LE(solution.chunk_sizes.size(), static_cast<std::size_t>(chunks));
          ASSERT_NEAR(expected_work(to_schedule(solution), law), solution.expected_work, 1e-14) << what;
          ASSERT_LE(solution.expected_work, solution.upper_bound * (1 + 1e-12)) << what;
        }
}

TEST(OneWorker, SearchAgreesWithTheoremFour) {
  for (const double startup : {0.0, 0.01, 0.07})
    for (const double work : {0.4, 3.0})
      for (const int chunks : {1, 5, 30}) {
        const ChunkPlan plan = search_chunks(work, chunks, startup, *make_linear_risk(0.5));
        const OneWorkerSolution theorem = charged_linear_chunks(work, chunks, startup, 0.5);
        ASSERT_NEAR(plan.expected_work, theorem.expected_work, 1e-13) << startup << " " << work << " " << chunks;
        ASSERT_EQ(plan.sizes.size(), theorem.chunk_sizes.size()) << startup << " " << work << " " << chunks;
        ASSERT_TRUE(plan.polished);
        for (std::size_t i = 0; i < plan.sizes.size(); ++i) ASSERT_NEAR(plan.sizes[i], theorem.chunk_sizes[i], 1e-12);
      }
}

// W + eps is eps in doubles.
TEST(OneWorker, TheLeastWorkIsOneChunk) {
  const auto two = std::make_shared<EmpiricalRisk>(std::vector<double>{2}, "two");
  const std::vector<std::pair<RiskPtr, double>> lives = {{two, 1}, {risk("exponential(rate=1)"), std::exp(-1)}};
  for (const auto& [life, survival] : lives) {
    const OneWorkerSolution solution = optimal_chunks({1e-17, std::nullopt, 1, life});
    EXPECT_DOUBLE_EQ(solution.expected_work, 1e-17 * survival);
    EXPECT_EQ(solution.chunk_sizes, std::vector<double>{1e-17});
    EXPECT_EQ(solution.method.find("no chunk"), std::string::npos) << solution.method;
  }
}

// Exponential risk, unlimited work: v_0 = 0, v_k = exp(-lambda eps) exp(v_{k-1} - 1), E = v_n / lambda; the k-th
// chunk from the end is (1 - v_{k-1}) / lambda.
TEST(OneWorker, ExponentialRiskFollowsItsRecursion) {
  constexpr double kRate = 1.5;
  for (const double startup : {0.0, 0.02, 0.4})
    for (const int n : {1, 2, 9, 60}) {
      const OneWorkerSolution solution = optimal_chunks({INFINITY, n, startup, risk("exponential(rate=1.5)")});
      std::vector<double> v = {0};
      for (int k = 1; k <= n; ++k) v.push_back(std::exp(-kRate * startup) * std::exp(v.back() - 1));
      ASSERT_NEAR(solution.expected_work, v.back() / kRate, 1e-13);
      // With a start-up cost the last of many chunks gain less than a rounding.
      ASSERT_LE(solution.chunk_sizes.size(), static_cast<std::size_t>(n));
      if (startup == 0 || n < 10) {
        ASSERT_EQ(solution.chunk_sizes.size(), static_cast<std::size_t>(n));
      }
      for (std::size_t k = 1; k <= solution.chunk_sizes.size(); ++k)
        ASSERT_NEAR(solution.chunk_sizes[solution.chunk_sizes.size() - k], (1 - v[k - 1]) / kRate, 1e-11);
    }
}

// A share p of all workers lives 100 / p on average: a chunk for them alone is worth 100 / e.
TEST(OneWorker, FindsTheChunkForAFewThatLiveVeryLong) {
  for (const double p : {1e-12, 1e-14, 1e-16, 1e-30}) {
    const std::string law = fmt::format("hyperexponential(p={}, rate1={}, rate2=1)", p, p / 100);
    const OneWorkerSolution solution = optimal_chunks({INFINITY, 1, 0, risk(law)});
    EXPECT_NEAR(solution.expected_work, 100 * std::exp(-1.0), 1e-9) << law;
  }
}

TEST(OneWorker, FindsAsManyChunksAsGain) {
  const OneWorkerSolution free_count = optimal_chunks({1, std::nullopt, 0.01, risk("exponential")});
  const OneWorkerSolution more = optimal_chunks({1, 1000, 0.01, risk("exponential")});
  const OneWorkerSolution fewer = optimal_chunks({1, 15, 0.01, risk("exponential")});

  EXPECT_EQ(free_count.chunk_sizes.size(), 16u);
  EXPECT_NEAR(more.expected_work, free_count.expected_work, 1e-14);
  EXPECT_LT(fewer.expected_work, free_count.expected_work);
  EXPECT_THROW(optimal_chunks({1, std::nullopt, 0, risk("exponential")}), InputError);
}

TEST(OneWorker, OneProgrammeAnswersForSeveralBoundsOnTheChunks) {
  const EmpiricalRisk law({0.05, 0.1, 0.12, 0.2, 0.3, 0.31, 0.5, 0.7, 0.9, 1}, "trace");
  const std::vector<std::int64_t> bounds = {4, 1, 40};

  const std::vector<ChunkPlan> plans = best_chunks(0.8, bounds, 0.01, law);

  ASSERT_EQ(plans.size(), bounds.size());
  for (std::size_t i = 0; i < bounds.size(); ++i)
    EXPECT_EQ(plans[i].finish_times, best_chunks(0.8, bounds[i], 0.01, law).finish_times) << bounds[i];
}

// Twelve chunks in a row that gain nothing are the end here: the exact programme finds nothing behind them.
TEST(OneWorker, ProgrammesWithPatienceFindWhatExactOnesDo) {
  Stream stream(StreamKey::derive(32, 0, Use::kPlatform), 0, 0);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<double> durations(150);
    for (double& duration : durations) duration = std::pow(to_uniform(stream()), 1 + trial % 3);
    const EmpiricalRisk law(durations, "trace");
    const double startup = 0.002 * (1 + trial % 5);
    const std::vector<std::int64_t> bounds = {5, 60, 150};

    const std::vector<ChunkPlan> patient = best_chunks(0.8, bounds, startup, law, 12);
    const std::vector<ChunkPlan> exact = best_chunks(0.8, bounds, startup, law);

    for (std::size_t i = 0; i < bounds.size(); ++i)
      EXPECT_EQ(patient[i].finish_times, exact[i].finish_times) << trial << " " << bounds[i];
  }
}

TEST(OneWorker, SettlingNeverLosesAndFindsTheJumpsThatAThinnedTraceLacks) {
  const EmpiricalRisk whole({0.1, 0.19, 0.2, 0.4, 0.41, 0.6, 0.8, 1}, "whole");
  const EmpiricalRisk thinned({0.1, 0.2, 0.41, 0.8, 1}, "thinned");
  for (const std::int64_t chunks : {1, 2, 3, 5}) {
    const ChunkPlan rough = best_chunks(0.7, chunks, 0.02, thinned);
    double before = 0;
    for (std::size_t i = 0; i < rough.sizes.size(); ++i)
      before += rough.sizes[i] * whole.survival(rough.finish_times[i]);

    const ChunkPlan plan = settled(rough, 0.7, 0.02, whole);

    EXPECT_GE(plan.expected_work, before) << chunks;
    EXPECT_LE(plan.expected_work, best_chunks(0.7, chunks, 0.02, whole).expected_work * (1 + 1e-14)) << chunks;
    double clock = 0;
    double sum = 0;
    for (const double size : plan.sizes) {
      EXPECT_GT(size, 0);
      clock += size + 0.02;
      sum += size;
    }
    EXPECT_LE(sum, 0.7 * (1 + 1e-12));
    EXPECT_NEAR(clock, plan.finish_times.back(), 1e-14);
  }
  const ChunkPlan one = settled(best_chunks(0.7, 1, 0.02, thinned), 0.7, 0.02, whole);
  EXPECT_EQ(one.finish_times, best_chunks(0.7, 1, 0.02, whole).finish_times);
}

TEST(OneWorker, EmpiricalRiskIsSolvedExactly) {
  // All data on a lattice of 1/2, hence also some optimum.
  const Stream empty(StreamKey::derive(31, 0, Use::kPlatform), 0, 0);
  Stream stream = empty;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<double> durations;
    const std::uint32_t count = 1 + stream() % 6;
    for (std::uint32_t i = 0; i < count; ++i) durations.push_back(0.5 * (1 + stream() % 16));
    const double work = 0.5 * (1 + stream() % 16);
    const double startup = 0.5 * (stream() % 3);
    const int chunks = static_cast<int>(1 + stream() % 4);
    const auto law = std::make_shared<EmpiricalRisk>(durations, "durations");
    const OneWorkerSolution solution = optimal_chunks({work, chunks, startup, law});
    ASSERT_NEAR(solution.expected_work, best_on_lattice(work, chunks, startup, 0.5, *law), 1e-13) << "trial " << trial;
    ASSERT_NEAR(expected_work(to_schedule(solution), law), solution.expected_work, 1e-13) << "trial " << trial;
    ASSERT_TRUE(solution.exact);
  }
}

TEST(OneWorker, ChunksEndNoLaterThanTheDurationsTheyAreMadeFor) {
  Stream stream(StreamKey::derive(32, 0, Use::kPlatform), 0, 0);
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> durations;
    for (int i = 0; i < 12; ++i) durations.push_back(1e-3 * static_cast<double>(1 + stream() % 3000) / 3);
    const double startup = 0.01 * static_cast<double>(stream() % 4);
    const auto law = std::make_shared<EmpiricalRisk>(durations, "durations");
    const OneWorkerSolution solution = optimal_chunks({1.0 / 3 + 1e-3 * trial, 6, startup, law});
    double clock = 0;
    double value = 0;
    for (const double size : solution.chunk_sizes) {
      clock += size + startup;
      value += size * law->survival(clock);
    }
    ASSERT_NEAR(value, solution.expected_work, 1e-13) << "trial " << trial;
    ASSERT_NEAR(expected_work(to_schedule(solution), law), solution.expected_work, 1e-13) << "trial " << trial;
  }
}

struct EmpiricalCase {
  double work, startup;
  int chunks;
  double value;
  std::vector<double> sizes;
};

TEST(OneWorker, EmpiricalReferenceValues) {
  const auto law = std::make_shared<EmpiricalRisk>(std::vector<double>{1, 1, 2, 3, 3, 3, 5, 8, 13, 21}, "durations");
  const EmpiricalCase cases[] = {{21, 0, 8, 6, {1, 1, 1, 2, 3, 5, 8}},
                                 {21, 0.5, 8, 4.75, {2.5, 4.5, 4.5, 7.5}},
                                 {4, 0.25, 5, 2.575, {0.75, 1.75, 1.5}}};
  for (const EmpiricalCase& c : cases) {
    const OneWorkerSolution solution = optimal_chunks({c.work, c.chunks, c.startup, law});
    EXPECT_DOUBLE_EQ(solution.expected_work, c.value);
    EXPECT_EQ(solution.chunk_sizes, c.sizes);
  }
}

// Of unlimited work nobody completes more than a mean life, however long the tail.
TEST(OneWorker, UnlimitedWorkIsBoundedByTheMeanLife) {
  const double unlimited = std::numeric_limits<double>::infinity();
  const auto expect_mean = [&](const char* text, double mean) {
    EXPECT_NEAR(survival_integral(unlimited, *risk(text)), mean, 1e-9 * mean) << text;
  };
  expect_mean("lognormal(median=1, sigma=5)", std::exp(12.5));
  expect_mean("weibull(shape=0.05)", std::tgamma(21));
  expect_mean("exponential(rate=2)", 0.5);
  expect_mean("lognormal(median=1, sigma=20)", std::exp(200));
  EXPECT_EQ(survival_integral(unlimited, *risk("lognormal(median=1, sigma=50)")), unlimited) << "beyond all numbers";
}

// Errata B9: integral of 1 - Pr minus E is at most (W/n)(Pr(W) - Pr(0)) for all of W in equal chunks.
TEST(OneWorker, EqualChunksApproachTheBound) {
  for (const char* text : {"linear", "exponential", "weibull(shape=3, scale=1)", "lognormal(median=1, sigma=2)"})
    for (const int n : {1, 5, 100, 3000}) {
      const RiskPtr law = risk(text);
      const OneWorkerSolution equal = equal_chunks({2, n, 0, law});
      const double gap = equal.upper_bound - equal.expected_work;
      ASSERT_GE(gap, -1e-12) << text << n;
      ASSERT_LE(gap, 2.0 / n * law->probability(2) + 1e-12) << text << n;
    }
}

TEST(OneWorker, GivesNothingWhereNothingCanBeCompleted) {
  EXPECT_TRUE(optimal_chunks({1, 5, 2, make_linear_risk()}).chunk_sizes.empty());
  EXPECT_TRUE(optimal_chunks({0, 5, 0, make_linear_risk()}).chunk_sizes.empty());
  const auto law = std::make_shared<EmpiricalRisk>(std::vector<double>{0.0, 1.0}, "durations");
  EXPECT_EQ(optimal_chunks({1, 5, 1, law}).expected_work, 0.0);
  EXPECT_THROW(optimal_chunks({1, 0, 0, make_linear_risk()}), InputError);
  const OneWorkerSolution none = optimal_chunks({0.01, 5, 2.5, risk("weibull(shape=4, scale=1)")});
  EXPECT_EQ(none.expected_work, 0);
  EXPECT_EQ(none.method, "no chunk is completed with a probability above 1e-15");
}

TEST(OneWorker, RefusesScalesThatOverflow) {
  const double unlimited = std::numeric_limits<double>::infinity();
  EXPECT_THROW(optimal_chunks({unlimited, 3, 0, make_linear_risk(1e-310)}), InputError);
  EXPECT_THROW(optimal_chunks({1, 3, 0, make_linear_risk(1e308)}), InputError);
  EXPECT_GT(optimal_chunks({1, 3, 0, make_linear_risk(1e307)}).expected_work, 0);
}

}  // namespace
}  // namespace coterie::heuristics
