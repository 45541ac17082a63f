// The choice of chunk counts against exhaustive scans, and what it does where the input is absurd.
#include "heuristics/chunks/granularity.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/empirical_risk.hpp"
#include "heuristics/worksharing/cyclic_replication.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/no_replication.hpp"
#include "heuristics/worksharing/partition.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/heuristics/chunks/random_slices.hpp"
#include "tests/parametric.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::heuristics {
namespace {

/// Durations at the quantiles of a Weibull law, scaled to a longest of 1.
RiskPtr trace_like(double shape, int count) {
  const RiskPtr law = make_parametric_risk(Expression::parse("weibull(shape=" + std::to_string(shape) + ")"));
  std::vector<double> durations;
  for (int i = 0; i < count; ++i) durations.push_back(law->quantile((i + 0.5) / count));
  for (double& duration : durations) duration /= law->quantile((count - 0.5) / count);
  return std::make_shared<EmpiricalRisk>(durations, "trace");
}

double best_of_scan(std::size_t limit, const std::function<double(std::size_t)>& expected) {
  double best = 0;
  for (std::size_t n = 1; n <= limit; ++n) best = std::max(best, expected(n));
  return best;
}

bool full() { return std::getenv("COTERIE_FULL") != nullptr; }

/// Over numbers of chunks up to `limit` for each worker's load: of all counts, or of the multiples of loads alone.
double best_cyclic_of_scan(const WorksharingProblem& problem, std::size_t limit, bool all) {
  const double loads = all ? 1 : problem.work / std::min(problem.work, problem.local_load());
  const double most = static_cast<double>(limit) * (problem.work / std::min(problem.work, problem.local_load()));
  return best_of_scan(static_cast<std::size_t>(most / loads), [&](std::size_t n) {
    const double total = std::max(1.0, std::ceil(static_cast<double>(n) * loads - 1e-9));
    return expected_by_cyclic_replication(problem, static_cast<std::size_t>(total));
  });
}

TEST(PaperGranularity, CountsEachNumberOnce) {
  const auto expected = [](std::size_t n) { return std::vector<double>{0, 0.1, 0.1125, 0.1}.at(n); };
  const GranularityChoice of_three = binary_search_granularity(3, expected);
  EXPECT_EQ(of_three.chunks, 2u);
  EXPECT_EQ(of_three.evaluated, 3u);
  EXPECT_EQ(binary_search_granularity(1, expected).evaluated, 1u);
}

constexpr Granularity kAuto{Granularity::Kind::kAuto, 0};

const std::vector<std::pair<std::size_t, double>> kSettings = {{5, 1},  {5, 3},   {10, 1},  {10, 7},  {25, 1},  {25, 4},
                                                               {25, 6}, {25, 13}, {50, 22}, {50, 50}, {100, 11}};

TEST(BestGranularity, LosesNothingAgainstAScanOfAllCounts) {
  for (const RiskPtr& law : {make_linear_risk(), risk("exponential"), risk("weibull(shape=0.6, scale=0.3)"),
                             trace_like(0.5, 300), trace_like(0.8, 60)})
    for (const double startup : {0.1, 0.01, 0.001})
      for (const auto& [p, work] : kSettings) {
        const WorksharingProblem problem{p, work, startup, law, 1.0};
        // Beyond this the start-up costs alone eat a quarter of the shortest horizon, and the scan takes minutes.
        const auto limit = static_cast<std::size_t>(std::min(0.25 / startup, 10 + 8 / std::sqrt(startup)));
        SliceObjective slice(partition(problem).slices.front().workers, partition(problem).slices.front().size, startup,
                             *law, greedy_chart);
        const auto greedy = [&](std::size_t n) { return slice.expected(n); };
        ASSERT_GE(choose_slice_chunks(slice, problem, Granularity::Kind::kAuto).expected,
                  best_of_scan(limit, greedy) * (1 - 1e-6))
            << p << " " << work << " " << startup << " " << law->text();
        // Under traces not all counts between those of a load are tried. [RESULTS.md]
        const bool smooth = shape_under(*law) == GranularityObjective::Shape::kOneHump;
        ASSERT_GE(cyclic_replication_plan(problem, kAuto).expected_work,
                  best_cyclic_of_scan(problem, limit, full()) * (1 - (full() && !smooth ? 2e-3 : 1e-6)))
            << p << " " << work << " " << startup << " " << law->text();
      }
}

// Every even number of chunks per load leaves six workers on three loads all but without replication: a survey that
// happens to meet some of them on end must not take finer chunks for worse.
TEST(BestGranularity, SeesPastCountsThatLeaveLittleReplication) {
  for (const std::vector<double>& durations :
       {std::vector<double>{0.007, 0.063, 0.084, 0.163, 0.285, 0.431, 0.486, 0.662, 0.742, 0.752, 0.999, 1},
        std::vector<double>{0.019, 0.02, 0.111, 0.248, 0.5, 0.725, 1}}) {
    const WorksharingProblem problem{6, 3, 0.0003, std::make_shared<EmpiricalRisk>(durations, "durations"), 1.0};
    EXPECT_GE(cyclic_replication_plan(problem, kAuto).expected_work,
              best_cyclic_of_scan(problem, 1500, full()) * (1 - 1e-9));
  }
}

// Only a few chunks fit into a life, and each further one makes a hump.
TEST(BestGranularity, SeesTheHumpsOfSharesMuchLongerThanLives) {
  for (const auto& [load, startup] :
       {std::pair{100.0, 0.06}, {100.0, 0.099}, {50.0, 0.099}, {30.0, 0.099}, {3.0, 0.2}}) {
    const auto expected = [load = load, startup = startup](std::size_t n) {
      const double chunk = load / static_cast<double>(n);
      const double fit = std::min(std::floor(1 / (chunk + startup)), static_cast<double>(n));
      return chunk * (fit - (chunk + startup) * fit * (fit + 1) / 2);
    };
    const double best = best_of_scan(3000, expected);
    for (const std::size_t p : {1, 7}) {
      const WorksharingProblem problem{p, load * static_cast<double>(p), startup, make_linear_risk(), 1.0};
      EXPECT_GE(no_replication_plan(problem, kAuto).expected_work, static_cast<double>(p) * best * (1 - 1e-6))
          << load << ' ' << startup;
    }
  }
}

// A few durations make expected work jump from count to count.
TEST(BestGranularity, LosesLittleWhereFewDurationsMakeItJump) {
  sim::Dice dice("few durations");
  const int cases = full() ? 60 : 40;
  double lost_by_greedy = 0;
  double lost_by_cyclic = 0;
  for (int round = 0; round < cases; ++round) {
    std::vector<double> durations = {1};
    for (std::size_t more = dice.whole(1, 6); more > 0; --more) durations.push_back(dice.real(0, 1));
    const std::size_t p = std::vector<std::size_t>{4, 6, 10}[dice.whole(0, 2)];
    const double work = std::vector<double>{static_cast<double>(p) / 2, 1.05, 1.5}[dice.whole(0, 2)];
    const RiskPtr law = std::make_shared<EmpiricalRisk>(durations, "durations");
    const WorksharingProblem problem{p, work, 0.0005, law, 1.0};
    const SliceShare share = partition(problem).slices.front();
    SliceObjective slice(share.workers, share.size, problem.startup_cost, *law, greedy_chart);
    const double greedy =
        best_of_scan(granularity_limit(1, problem.startup_cost), [&](std::size_t n) { return slice.expected(n); });
    const double cyclic = best_cyclic_of_scan(problem, granularity_limit(1, problem.startup_cost), full());
    const double greedy_lost = 1 - choose_slice_chunks(slice, problem, Granularity::Kind::kAuto).expected / greedy;
    const double cyclic_lost = 1 - cyclic_replication_plan(problem, kAuto).expected_work / cyclic;
    EXPECT_LT(greedy_lost, 0.01) << "round " << round;
    EXPECT_LT(cyclic_lost, 0.01) << "round " << round;
    lost_by_greedy += greedy_lost;
    lost_by_cyclic += cyclic_lost;
  }
  EXPECT_LT(lost_by_greedy, 1e-3 * cases);
  EXPECT_LT(lost_by_cyclic, 1e-3 * cases);
}

// A slice much longer than a worker lives wants more chunks than load / startup, where the paper ends its search.
TEST(BestGranularity, CutsSlicesLongerThanALifeAsFinelyAsTheyNeed) {
  struct Case {
    std::size_t workers;
    double work, startup;
    const char* law;
    std::size_t chunks;
    double expected;  // by those chunks, at least
  };
  for (const Case& c : {Case{25, 12, 0.1, "exponential(rate=10)", 150, 0.396},
                        Case{50, 40, 0.05, "weibull(shape=2, scale=0.6)", 200, 16.256},
                        Case{25, 20, 0.1, "weibull(shape=3, scale=0.5)", 75, 4.77},
                        Case{25, 12, 0.05, "lognormal(median=0.3, sigma=0.3)", 75, 4.0},
                        Case{25, 12, 0.1, "exponential(rate=3)", 65, 3.328}, Case{10, 100, 0.1, "linear", 250, 1.0}}) {
    const RiskPtr law = risk(c.law);
    const WorksharingProblem problem{c.workers, c.work, c.startup, law, 1.0, 1};
    SliceObjective slice(c.workers, c.work, c.startup, *law, greedy_chart);
    const GranularityChoice choice = choose_slice_chunks(slice, problem, Granularity::Kind::kAuto);
    EXPECT_GE(slice.expected(c.chunks), c.expected) << c.law;
    EXPECT_GE(choice.expected,
              best_of_scan(4 * c.chunks, [&](std::size_t n) { return slice.expected(n); }) * (1 - 1e-9))
        << c.law;
    EXPECT_GE(slice.upper_bound_of_all(), choice.expected) << c.law;
  }
}

// The number of all chunks need be no multiple of loads: 99 chunks for 20 loads are 2.8 % better than 80.
TEST(BestGranularity, TriesEveryNumberOfAllChunks) {
  const WorksharingProblem problem{100, 20, 0.1, make_linear_risk(), 1.0};
  const Plan plan = cyclic_replication_plan(problem, kAuto);
  EXPECT_EQ(plan.chunks, 99u);
  EXPECT_NEAR(plan.expected_work, 16.7338, 1e-4);
}

struct Losses {
  double sum = 0;
  double most = 0;
  int count = 0;
  void add(double chosen, double best) {
    if (best < 1e-9) return;  // nothing can be done
    const double lost = 1 - chosen / best;
    sum += lost;
    most = std::max(most, lost);
    ++count;
  }
};

// Slices from a twentieth of what a worker lives to a hundred times that, against scans of all counts up to three times
// the chosen one.
TEST(BestGranularity, LosesLittleOfRandomSlices) {
  sim::Dice dice("random slices");
  Losses smooth, jumping;
  const int rounds = full() ? 300 : 80;
  for (int round = 0; round < rounds; ++round) {
    const RiskPtr law = random_risk(dice, static_cast<std::size_t>(round));
    const std::size_t g = dice.whole(1, 12);
    const double size = log_uniform(dice, 0.05, 100);
    const double startup = log_uniform(dice, 0.01, 0.8);
    SliceObjective slice(g, size, startup, *law, greedy_chart);
    const GranularityChoice choice =
        choose_slice_chunks(slice, {g, size, startup, law, 1.0, 1}, Granularity::Kind::kAuto);
    const std::size_t limit = std::min<std::size_t>(3 * choice.chunks + 100, 3000);
    const double best = best_of_scan(limit, [&](std::size_t n) { return slice.expected(n); });
    (shape_under(*law) == GranularityObjective::Shape::kOneHump ? smooth : jumping).add(choice.expected, best);
  }
  RecordProperty("smooth", fmt::format("{} {}", smooth.sum / smooth.count, smooth.most));
  RecordProperty("jumping", fmt::format("{} {}", jumping.sum / jumping.count, jumping.most));
  EXPECT_LT(smooth.most, 1e-3);
  EXPECT_LT(smooth.sum, 1e-5 * smooth.count);
  EXPECT_LT(jumping.most, 0.01);
  EXPECT_LT(jumping.sum, 1e-3 * jumping.count);
}

TEST(BestGranularity, LosesLittleOfRandomWorkloads) {
  sim::Dice dice("random workloads");
  const int rounds = full() ? 300 : 80;
  for (const char* name : {"cyclic-replication", "random-replication", "brute", "no-replication"}) {
    Losses smooth, jumping;
    for (int round = 0; round < rounds; ++round) {
      const RiskPtr law = random_risk(dice, static_cast<std::size_t>(round));
      const std::size_t p = dice.whole(1, 12);
      const WorksharingProblem problem{p, log_uniform(dice, 0.05, 20), log_uniform(dice, 0.02, 0.8), law, 1.0};
      const Strategy& strategy = worksharing_strategy(name);
      const Plan chosen = strategy.build(problem, kAuto);
      const std::size_t step = name == std::string("no-replication") ? p : 1;  // each worker's share is cut alike
      const std::size_t limit = std::min<std::size_t>(2 * chosen.chunks / step + 60, full() ? 1500 : 300);
      const double best = best_of_scan(limit, [&](std::size_t n) {
        return strategy.build(problem, {Granularity::Kind::kPerSlice, n * step}).expected_work;
      });
      (shape_under(*law) == GranularityObjective::Shape::kOneHump ? smooth : jumping).add(chosen.expected_work, best);
    }
    RecordProperty(std::string(name) + " smooth", fmt::format("{} {}", smooth.sum / smooth.count, smooth.most));
    RecordProperty(std::string(name) + " jumping", fmt::format("{} {}", jumping.sum / jumping.count, jumping.most));
    EXPECT_LT(smooth.most, 1e-3) << name;
    EXPECT_LT(smooth.sum, 1e-5 * smooth.count) << name;
    EXPECT_LT(jumping.most, 0.01) << name;
    EXPECT_LT(jumping.sum, 1e-3 * jumping.count) << name;
  }
}

// One narrow peak anywhere among small counts, several humps: found.
TEST(BestGranularity, SeesEverySmallCount) {
  for (std::size_t peak = 1; peak <= 40; ++peak) {
    const auto choice =
        best_granularity(1000, {.expected = [&](std::size_t n, double) { return n == peak ? 2.0 : 1.0; }});
    EXPECT_EQ(choice.chunks, peak);
  }
}

// Four chunks of 0.1 and five of 0.08 are worth the same, 0.28, but for rounding.
TEST(BestGranularity, DoesNotHangOnTheLastDigit) {
  for (const std::size_t p : {1, 2, 3, 5, 7, 10, 20}) {
    const WorksharingProblem problem{p, 0.4 * static_cast<double>(p), 0.02, make_linear_risk(), 1.0};
    EXPECT_EQ(no_replication_plan(problem, kAuto).chunks, 4 * p);
  }
}

TEST(BestGranularity, TakesTheSmallestOfEqualCountsAndKeepsToTheLimit) {
  const GranularityObjective flat{.expected = [](std::size_t, double) { return 1.0; }};
  EXPECT_EQ(best_granularity(500, flat).chunks, 1u);
  const GranularityObjective rising{.expected = [](std::size_t n, double) { return 1 - 1 / static_cast<double>(n); }};
  for (const std::size_t limit : {1, 2, 39, 40, 41, 999, 12345})
    EXPECT_EQ(best_granularity(limit, rising).chunks, limit);
}

TEST(BestGranularity, EndsWhereAllWorkIsDone) {
  const GranularityObjective all{.expected = [](std::size_t, double) { return 3.0; }, .whole = 3.0};
  EXPECT_EQ(best_granularity(1'000'000, all).evaluated, 1u);
}

// lambda bounds the load of a coterie: where there is none, the search neither takes longer nor finds anything else.
TEST(BestGranularity, DoesNotDependOnLambdaWhereSchedulesDoNot) {
  StepLaw open;  // the last quarter is never interrupted
  for (int i = 1; i <= 300; ++i) open.add(std::pow(i / 300.0, 3), 0.75 / 300);
  WorksharingProblem problem{4, 2, 1e-3, std::make_shared<EmpiricalRisk>(open, "open"), 0.9};
  for (const char* name : {"brute", "no-replication"}) {
    const Plan wide = worksharing_strategy(name).build(problem, {Granularity::Kind::kAuto, 0});
    problem.lambda = 0.5;
    const Plan narrow = worksharing_strategy(name).build(problem, {Granularity::Kind::kAuto, 0});
    problem.lambda = 0.9;
    EXPECT_EQ(narrow.counts_considered, wide.counts_considered) << name;
    EXPECT_EQ(narrow.chunks, wide.chunks) << name;
  }
}

// Absurd inputs get an answer or a refusal, in seconds (the limit leaves room for sanitizers and slow machines).
TEST(BestGranularity, AnswersAbsurdInputsWithFewTries) {
  const std::vector<WorksharingProblem> problems = {{100'000, 1, 0.01, make_linear_risk(), 1.0},
                                                    {3, 1, 1e-300, make_linear_risk(), 1.0},
                                                    {3, 1, 1e-9, make_linear_risk(), 1.0},
                                                    {3, 2, 1e-12, risk("exponential"), 1.0},
                                                    {3, 1e-308, 0.001, make_linear_risk(), 1.0},
                                                    {3, 1e-308, 0.001, risk("exponential"), 1.0},
                                                    {100, 1e4, 1e-6, risk("weibull(shape=0.2)"), 1.0},
                                                    {2, 1, 1e-7, trace_like(0.3, 50), 1.0}};
  for (const WorksharingProblem& problem : problems)
    for (const char* name : {"greedy", "brute", "no-replication", "cyclic-replication"}) {
      try {
        const Plan plan = worksharing_strategy(name).build(problem, {Granularity::Kind::kAuto, 0});
        EXPECT_GE(plan.expected_work, 0);
        EXPECT_LE(plan.expected_work, problem.work);
        EXPECT_LE(plan.counts_considered, 10'000) << name << " " << problem.work << " " << problem.startup_cost;
      } catch (const InputError& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
      }
    }
}

}  // namespace
}  // namespace coterie::heuristics
