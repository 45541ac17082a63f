#include "heuristics/restart/optimal_rule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <map>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/expression.hpp"
#include "heuristics/chunks/checkpoint_intervals.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr lives_of(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

/// A job whose times are whole steps, one of many.
RestartJob random_job(boost::random::mt19937& engine, int most_work) {
  const auto draw = [&](int from, int to) { return boost::random::uniform_int_distribution<int>(from, to)(engine); };
  std::vector<double> lives;
  for (int i = draw(1, 6); i > 0; --i) lives.push_back(draw(0, 20));
  const int checkpoint = draw(0, 3);
  const int restart = draw(0, 3);
  lives.push_back(checkpoint + restart + 1 + draw(0, 10));  // a step can be done
  return {static_cast<double>(draw(1, most_work)), static_cast<double>(checkpoint), static_cast<double>(restart),
          static_cast<double>(draw(0, 4)), std::make_shared<EmpiricalRisk>(lives, "random")};
}

/// A rule given by all its values.
class RuleMap final : public ChunkRule {
 public:
  using Key = std::pair<int, int>;  // work left, age
  double chunk(double left, double age) const override {
    const Key key{static_cast<int>(std::lround(left)), static_cast<int>(std::lround(age * 100))};
    return chunks.emplace(key, key.first).first->second;  // a new state: all of it first
  }
  mutable std::map<Key, int> chunks;
};

/// The least over all rules, each evaluated: states are found by running, and their values counted down like digits.
double least_of_all_rules(const RestartJob& job) {
  double least = kInfinity;
  RuleMap rule;
  while (true) {
    least = std::min(least, expected_time(job, rule));
    auto last = rule.chunks.end();
    while (last != rule.chunks.begin() && std::prev(last)->second == 1) --last;
    if (last == rule.chunks.begin()) return least;
    --last;
    --last->second;
    for (auto later = std::next(last); later != rule.chunks.end(); ++later) later->second = later->first.first;
  }
}

TEST(OptimalRestarts, IsTheLeastOverAllRules) {
  boost::random::mt19937 engine(2013);
  for (int i = 0; i < 60; ++i) {
    const RestartJob job = random_job(engine, 4);
    const RestartPlan plan = optimal_restarts(job, static_cast<std::size_t>(job.work));

    const double least = least_of_all_rules(job);

    EXPECT_TRUE(plan.exact);
    EXPECT_NEAR(plan.expected_time, least, 1e-9 * least) << job.work << ' ' << job.checkpoint << ' ' << job.restart;
  }
}

/// Save or go on, one step after another. The time after an interruption, on which the decisions depend, is found by
/// halving: if it were z, it would be renewed(z), which grows more slowly.
class StepByStep {
 public:
  explicit StepByStep(const RestartJob& job) : job_(job) {}

  double from_start() {
    for (int w = 1; w <= static_cast<int>(job_.work); ++w) {
      double low = 0;
      double high = 1e9;
      for (int i = 0; i < 200; ++i) {
        const double z = (low + high) / 2;
        (renewed(w, z) > z ? low : high) = z;
      }
      after_.push_back(high);
    }
    known_.clear();
    return best(static_cast<int>(job_.work), 0, 0, after_.back());
  }

 private:
  double alive(double age) const { return job_.life->survival(age); }

  double renewed(int w, double z) {
    known_.clear();
    double time = job_.down;
    for (int t = 1; t <= static_cast<int>(job_.restart); ++t) time += alive(t);
    return time + (1 - alive(job_.restart)) * z + best(w, 0, static_cast<int>(job_.restart), z);
  }

  /// S(age) x the time left, `done` steps not being saved. Lives are whole: a step that ends at t is done iff T >= t.
  double best(int w, int done, int age, double z) {
    if (!(alive(age) > 0)) return 0;
    if (w == 0) return 0;
    const auto [known, fresh] = known_.emplace(std::array{w, done, age}, 0);
    if (!fresh) return known->second;
    const auto z_of = [&](int left) {
      return left <= static_cast<int>(after_.size()) ? after_[static_cast<std::size_t>(left) - 1] : z;
    };
    double value = kInfinity;
    const auto pass = [&](int steps) {
      double time = 0;
      for (int t = 1; t <= steps; ++t) time += alive(age + t);
      return time + (alive(age) - alive(age + steps)) * z_of(w);
    };
    if (done < w) value = pass(1) + best(w, done + 1, age + 1, z);
    if (done > 0) {
      const int save = static_cast<int>(job_.checkpoint);
      value = std::min(value, pass(save) + best(w - done, 0, age + save, z));
    }
    return known_[std::array{w, done, age}] = value;
  }

  const RestartJob& job_;
  std::vector<double> after_;
  std::map<std::array<int, 3>, double> known_;
};

TEST(OptimalRestarts, IsTheLeastOverSavingOrGoingOnAfterEachStep) {
  boost::random::mt19937 engine(1974);
  for (int i = 0; i < 60; ++i) {
    const RestartJob job = random_job(engine, 12);
    const RestartPlan plan = optimal_restarts(job, static_cast<std::size_t>(job.work));

    const double least = StepByStep(job).from_start();

    EXPECT_TRUE(plan.exact);
    EXPECT_NEAR(plan.expected_time, least, 1e-6 * least) << job.work << ' ' << job.checkpoint << ' ' << job.restart;
    EXPECT_NEAR(optimal_restarts(job).expected_time, plan.expected_time, 1e-9 * least) << "chunks of any size";
  }
}

/// Times that are no multiples of the step, but of a part of it; smooth laws.
TEST(OptimalRestarts, IsTheLeastOverAllRulesWhereAgesLieBetweenSteps) {
  for (const char* law : {"weibull(shape=0.6, scale=5)", "weibull(shape=2, scale=5)", "exponential(rate=0.2)"}) {
    const RestartJob job{3, 0.37, 0.21, 1.3, lives_of(law)};
    const RestartPlan plan = optimal_restarts(job, 3);
    EXPECT_TRUE(plan.exact);
    const double least = least_of_all_rules(job);
    EXPECT_NEAR(plan.expected_time, least, 1e-9 * least) << law;
  }
}

TEST(OptimalRestarts, HasEqualChunksByTheClosedFormForExponentialLives) {
  const RestartJob job{100, 0.1, 0.3, 1, lives_of("exponential(rate=0.05)")};
  const RestartPlan plan = optimal_restarts(job);

  EXPECT_TRUE(plan.exact);
  EXPECT_NEAR(expected_time(job, *plan.rule), plan.expected_time, 1e-9 * plan.expected_time);
  const double chunks = 100 / plan.interval;
  EXPECT_NEAR(chunks, std::round(chunks), 1e-9);
  for (const double more : {-1.0, 1.0}) {
    const double other = (chunks + more) * exponential_chunk_time(job, 0.05, 100 / (chunks + more));
    EXPECT_LT(plan.expected_time, other);
  }
  // l T + e^(-l (T + C)) = 1 gives T within half a chunk.
  const double l = 0.05;
  const auto slope = [&](double t) { return l * t + std::exp(-l * (t + 0.1)) - 1; };
  EXPECT_LT(slope(100 / (chunks + 1)), 0);
  EXPECT_GT(slope(100 / (chunks - 1)), 0);
}

TEST(OptimalRestarts, OnAGridComesCloseToTheClosedForm) {
  const RestartJob job{100, 0.1, 0.3, 1, lives_of("exponential(rate=0.05)")};
  const double best = optimal_restarts(job).expected_time;
  const double found = optimal_restarts(job, 1000).expected_time;
  EXPECT_GE(found, best * (1 - 1e-12));
  EXPECT_LE(found, best * (1 + 1e-4));  // an interval has 20 steps: half of one off costs (1/40)^2 of what saving costs
}

TEST(OptimalRestarts, BeatsEqualIntervalsUnderAnyLaw) {
  for (const char* law : {"weibull(shape=0.5, scale=20)", "lognormal(median=10, sigma=1.5)", "linear(kappa=0.02)",
                          "hyperexponential(p=0.5, rate1=1, rate2=0.02)"})
    for (const double work : {7.0, 60.0, 2000.0}) {
      const RestartJob job{work, 0.2, 0.1, 0.5, lives_of(law)};
      const RestartPlan best = optimal_restarts(job);
      const double mean = *mean_life(*job.life);
      for (const double interval : {young_interval(0.2, mean), daly_interval(0.2, mean), work / 10, work / 3}) {
        if (!(job.life->survival(0.1 + 0.2 + interval) > 0)) continue;
        EXPECT_LE(best.expected_time, restart_intervals(job, interval, "").expected_time * (1 + 1e-5)) << law << work;
      }
    }
}

/// Where minutes make too many steps for a row each, chunks still end when recorded lives do.
TEST(OptimalRestarts, OfLongJobsEndsChunksWithRecordedLives) {
  const auto life = std::make_shared<EmpiricalRisk>(std::vector<double>{31, 31, 62, 93}, "recorded");
  const RestartJob job{3000, 1, 0, 2, life};
  const RestartPlan plan = optimal_restarts(job);
  EXPECT_EQ(plan.rule->chunk(2900, 0), 30);
  EXPECT_LT(plan.expected_time, restart_intervals(job, 29.5, "").expected_time);
  EXPECT_LE(plan.expected_time, restart_intervals(job, 30, "").expected_time * (1 + 1e-12));
}

TEST(OptimalRestarts, SavesMoreOftenWhereTheHazardIsHigh) {
  const RestartJob infant{40, 0.2, 0, 0.5, lives_of("weibull(shape=0.5, scale=20)")};
  const RestartPlan plan = optimal_restarts(infant);
  EXPECT_LT(plan.rule->chunk(30, 0), plan.rule->chunk(30, 9));
}

TEST(OptimalRestarts, RefusesWhatIsNeverDone) {
  const auto life = std::make_shared<EmpiricalRisk>(std::vector<double>{1, 2}, "recorded");
  EXPECT_THROW(optimal_restarts({6, 1, 1, 0, life}, 6), InputError);
  EXPECT_THROW(restart_intervals({6, 1, 0, 0, life}, 2, ""), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
