#include "heuristics/restart/market_run.hpp"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>

#include "core/expression.hpp"
#include "heuristics/restart/omniscient.hpp"
#include "heuristics/restart/optimal_rule.hpp"
#include "heuristics/restart/restart_policies.hpp"
#include "tests/heuristics/restart/given_times.hpp"

namespace coterie::heuristics {
namespace {

/// Lives and absences of laws, for ever; the first life begins at 0.
class DrawnTimes final : public SpotTimes {
 public:
  DrawnTimes(RiskPtr life, RiskPtr down, std::uint32_t seed) : life_(life), down_(down), engine_(seed) {}

 private:
  bool draw(UpTime& next) override {
    const double begin = end_ > 0 && down_ ? end_ + down_->quantile(1 - uniform_(engine_)) : end_;
    end_ = begin + life_->quantile(1 - uniform_(engine_));
    next = {begin, end_};
    return true;
  }
  RiskPtr life_, down_;
  boost::random::mt19937 engine_;
  boost::random::uniform_01<double> uniform_;
  double end_ = 0;
};

RiskPtr law(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

std::unique_ptr<RestartPolicy> made(const std::string& strategy, const MarketJob& job, RiskPtr life = nullptr,
                                    RiskPtr down = nullptr, double interval = 0) {
  for (const RestartStrategy& row : restart_strategies())
    if (row.name == expression_name(strategy)) return row.prepare({job, life, down, 0, interval, strategy});
  return nullptr;
}

TEST(MarketRun, LosesWhatIsNotSavedAndPaysForEachStart) {
  const MarketJob job{10, 1, 2};
  GivenTimes spot({{0, 6}, {8, 30}});

  const MarketOutcome outcome = run_market(job, *made("periodic(interval=4)", job), spot);

  // 4 saved at 5, 1 lost at 6, up again at 8, works from 10: saved at 15, and the last 2 at 18.
  EXPECT_DOUBLE_EQ(outcome.finish, 18);
  EXPECT_DOUBLE_EQ(outcome.rented, 16);
  EXPECT_DOUBLE_EQ(outcome.cost, 16);
  EXPECT_DOUBLE_EQ(outcome.lost, 1);
  EXPECT_EQ(outcome.checkpoints, 3u);
  EXPECT_EQ(outcome.interruptions, 1u);
}

TEST(MarketRun, LosesNothingWithAWarningThatIsLongEnoughToSave) {
  const MarketJob job{10, 1, 2, 1};
  GivenTimes spot({{0, 6}, {8, 30}});

  const MarketOutcome outcome = run_market(job, *made("periodic(interval=10)", job), spot);

  EXPECT_DOUBLE_EQ(outcome.finish, 10 + 5 + 1);  // 5 saved by 6
  EXPECT_DOUBLE_EQ(outcome.lost, 0);
}

TEST(MarketRun, AChunkThatIsSavedAsTheMachineGoesIsDone) {
  const MarketJob job{0.3, 0.1, 2};
  GivenTimes spot({{0, 0.4}});
  EXPECT_DOUBLE_EQ(run_market(job, *made("periodic(interval=0.1)", MarketJob{0.3, 0, 2}), spot).finish, kInfinity);
  GivenTimes again({{0, 0.1 + 0.2 + 0.1}});
  EXPECT_LT(run_market(job, *made("periodic(interval=0.3)", job), again).finish, 0.41);
}

TEST(MarketRun, PaysForChangesOfTheMarket) {
  const MarketJob job{10, 0, 1, 0, 20, 3, 2};
  GivenTimes spot({{0, 4}, {5, 30}});

  const MarketOutcome tries = run_market(job, *made("tries(losses=1)", job), spot);

  EXPECT_DOUBLE_EQ(tries.finish, 4 + 2 + 6);
  EXPECT_DOUBLE_EQ(tries.cost, 4 + 3 * 8);
  EXPECT_DOUBLE_EQ(run_market(job, *made("on-demand", job), spot).cost, 30);
}

TEST(MarketRun, OfExponentialLivesHasTheExactMean) {
  const double rate = 0.05;
  const MarketJob job{48, 0.2, 0.5};
  const RiskPtr life = law("exponential(rate=0.05)");
  const RestartJob exact{48, 0.2, 0.5, 0, life};
  for (const char* strategy : {"optimal", "young", "daly", "periodic(interval=5)"}) {
    const auto policy = made(strategy, job, life);
    constexpr int kRuns = 20'000;
    double sum = 0, squares = 0;
    for (std::uint32_t i = 0; i < kRuns; ++i) {
      DrawnTimes spot(life, nullptr, i + 1);
      const double finish = run_market(job, *policy, spot).finish;
      sum += finish;
      squares += finish * finish;
    }
    const double mean = sum / kRuns;
    const double error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
    double expected = 0;
    if (strategy == std::string("optimal")) {
      expected = optimal_restarts(exact).expected_time;
    } else if (strategy == std::string("periodic(interval=5)")) {
      expected = 9 * exponential_chunk_time(exact, rate, 5) + exponential_chunk_time(exact, rate, 3);
    } else {
      continue;
    }
    EXPECT_NEAR(mean, expected, 6 * error) << strategy;  // false alarm below 1e-8
  }
}

TEST(DeadlinePolicies, AreNeverLateAndNeverCheaperThanTheOmniscient) {
  boost::random::mt19937 engine(7);
  boost::random::uniform_01<double> uniform;
  const RiskPtr life = law("weibull(shape=0.7, scale=3)");
  const RiskPtr down = law("exponential(rate=0.5)");
  for (int setting = 0; setting < 60; ++setting) {
    MarketJob job;
    job.work = 5 + 20 * uniform(engine);
    job.deadline = job.work * (1 + 0.8 * uniform(engine));
    job.checkpoint = setting % 3 == 0 ? 0 : 0.2 * uniform(engine);
    job.warning = setting % 3 == 1 ? 0.3 : 0;
    job.restart = 0.5 * uniform(engine);
    job.change = 0.5 * uniform(engine);
    job.price = 1 + 3 * uniform(engine);
    for (const char* strategy :
         {"last-moment", "uniform-progress", "time-sliced", "time-sliced(slices=3)", "optimal-switch"}) {
      if (strategy == std::string("optimal-switch") && (job.checkpoint > 0 || setting > 12)) continue;
      const auto policy = made(strategy, job, life, down, 1);
      for (std::uint32_t i = 0; i < 40; ++i) {
        DrawnTimes spot(life, down, 1000 * static_cast<std::uint32_t>(setting) + i + 1);
        const MarketOutcome outcome = run_market(job, *policy, spot);
        ASSERT_LE(outcome.finish, job.deadline * (1 + 1e-9)) << strategy << ' ' << setting << ' ' << i;
        ASSERT_GE(outcome.cost, omniscient_cost(job, spot).cost * (1 - 1e-9)) << strategy << ' ' << setting << ' ' << i;
      }
    }
  }
}

/// Paired, above -6 standard errors.
TEST(DeadlinePolicies, NoneCostsLessOnAverageThanTheOptimalSwitch) {
  for (const char* lives : {"exponential(rate=0.4)", "weibull(shape=0.6, scale=4)", "weibull(shape=3, scale=4)"}) {
    const RiskPtr life = law(lives);
    const RiskPtr down = law("exponential(rate=0.5)");
    const MarketJob job{24, 0, 0.2, 0, 30, 3, 0.2};
    const auto best = made("optimal-switch", job, life, down);
    for (const char* strategy : {"on-demand", "last-moment", "uniform-progress", "time-sliced"}) {
      const auto policy = made(strategy, job, life, down);
      constexpr std::uint32_t kRuns = 2000;
      double sum = 0, squares = 0;
      for (std::uint32_t i = 0; i < kRuns; ++i) {
        DrawnTimes spot(life, down, i + 1);
        const double more = run_market(job, *policy, spot).cost - run_market(job, *best, spot).cost;
        sum += more;
        squares += more * more;
      }
      const double mean = sum / kRuns;
      const double error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
      EXPECT_GT(mean, -6 * error) << lives << ' ' << strategy << ' ' << mean << " +- " << error;
    }
  }
}

}  // namespace
}  // namespace coterie::heuristics
