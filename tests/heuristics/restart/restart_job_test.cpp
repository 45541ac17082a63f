#include "heuristics/restart/restart_job.hpp"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <functional>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"
#include "heuristics/chunks/one_worker.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr life_of(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

/// One run of the job by the words of the page, independent of the sums of expected_time.
double run_once(const RestartJob& job, const ChunkRule& rule, const std::function<double()>& life) {
  double time = 0;
  double left = job.work;
  double age = 0;
  for (double end = life(); left > 0;) {
    const double chunk = age < 0 ? 0 : rule.chunk(left, age);
    const double until = age < 0 ? job.restart : age + chunk + job.checkpoint;
    if (until <= end) {
      time += until - std::max(age, 0.0);
      age = until;
      left = left - chunk > 1e-9 * job.work ? left - chunk : 0;
    } else {
      time += end - std::max(age, 0.0) + job.down;
      end = life();
      age = -1;  // restarts
    }
  }
  return time;
}

TEST(LifeIntegral, IsTheIntegralOfSurvival) {
  for (const char* text : {"linear(kappa=0.2)", "exponential(rate=0.3)", "weibull(shape=0.5, scale=2)",
                           "lognormal(median=1, sigma=2)", "hyperexponential(p=0.3, rate1=2, rate2=0.1)"}) {
    const RiskPtr risk = life_of(text);
    const LifeIntegral integral(risk, 0.01);
    for (const double t : {0.0, 0.003, 0.5, 1.0, 4.999, 40.0, 900.0})
      EXPECT_NEAR(integral.until(t), survival_integral(t, *risk), 2e-9 * (1 + t)) << text << ' ' << t;
  }
  const auto recorded = std::make_shared<EmpiricalRisk>(std::vector<double>{0, 1, 2, 2, 7}, "recorded");
  const LifeIntegral integral(recorded, 1);
  for (const double t : {0.0, 0.5, 1.0, 2.0, 3.0, 7.0, 9.0})
    EXPECT_NEAR(integral.until(t), survival_integral(t, *recorded), 1e-12) << t;
}

TEST(ExpectedTime, IsDalysExactSumForExponentialLives) {
  const RestartJob job{12, 0.25, 0.5, 2, life_of("exponential(rate=0.3)")};

  for (const int chunks : {1, 3, 12, 40}) {
    const double one = std::exp(0.3 * 0.5) * (1 / 0.3 + 2) * std::expm1(0.3 * (12.0 / chunks + 0.25));
    EXPECT_NEAR(expected_time(job, EqualChunks(12.0 / chunks)), chunks * one, 1e-9 * chunks * one);
    EXPECT_NEAR(exponential_chunk_time(job, 0.3, 12.0 / chunks), one, 1e-12 * one);
  }
}

TEST(ExpectedTime, OfAMachineThatIsNeverInterruptedIsWorkAndCheckpoints) {
  const RestartJob job{10, 0.5, 3, 7, life_of("exponential(rate=1e-14)")};
  EXPECT_NEAR(expected_time(job, EqualChunks(3)), 10 + 4 * 0.5, 1e-9);
}

/// Within 6 standard errors.
TEST(ExpectedTime, IsTheMeanOfRuns) {
  const auto recorded = std::make_shared<EmpiricalRisk>(std::vector<double>{0, 1, 2, 2, 3, 9, 14}, "recorded");
  const RiskPtr weibull = life_of("weibull(shape=0.6, scale=4)");
  const ChunkTable table(1, 2, {{1}, {2, 1}, {1, 3}, {2, 2, 4}, {1, 5}, {3}});
  const EqualChunks short_chunks(1.5);
  const EqualChunks whole(6);
  boost::random::mt19937 engine(2013);
  boost::random::uniform_01<double> uniform;
  for (const RiskPtr& life : std::vector<RiskPtr>{recorded, weibull})
    for (const ChunkRule* rule : std::vector<const ChunkRule*>{&table, &short_chunks, &whole}) {
      const RestartJob job{6, 0.5, 0.5, 1, life};
      constexpr int kRuns = 100'000;
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < kRuns; ++i) {
        const double time = run_once(job, *rule, [&] { return life->quantile(1 - uniform(engine)); });
        sum += time;
        squares += time * time;
      }
      const double mean = sum / kRuns;
      const double error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
      EXPECT_NEAR(expected_time(job, *rule), mean, 6 * error);
    }
}

TEST(ExpectedTime, IsInfiniteWhereAChunkIsNeverDone) {
  const RestartJob job{6, 0.5, 0.5, 1, std::make_shared<EmpiricalRisk>(std::vector<double>{1, 2, 3}, "recorded")};
  EXPECT_TRUE(std::isinf(expected_time(job, EqualChunks(3))));
  EXPECT_TRUE(std::isfinite(expected_time(job, EqualChunks(2))));
}

TEST(ChunkTable, LooksUpTheNearestAgeAndTheLastRow) {
  const ChunkTable table(0.5, 2, {{1}, {2, 1}, {3, 1, 2}});
  EXPECT_EQ(table.chunk(0.5, 77), 0.5);
  EXPECT_EQ(table.chunk(1, 0.9), 1);
  EXPECT_EQ(table.chunk(1, 1.1), 0.5);
  EXPECT_EQ(table.chunk(1.5, 0), 1.5);
  EXPECT_EQ(table.chunk(1.5, 3.5), 1);
  EXPECT_EQ(table.chunk(40, 0), 1.5);
  EXPECT_EQ(table.chunk(0.3, 0), 0.3);
}

}  // namespace
}  // namespace coterie::heuristics
