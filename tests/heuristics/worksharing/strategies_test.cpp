// Every strategy against facts that do not depend on how it is coded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "core/empirical_risk.hpp"
#include "core/stream.hpp"
#include "heuristics/worksharing/cyclic_replication.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr heavy_trace() {
  std::vector<double> durations;
  for (int i = 0; i < 500; ++i) durations.push_back(risk("weibull(shape=0.5, scale=1)")->quantile((i + 0.5) / 500));
  const double longest = durations.back();
  for (double& duration : durations) duration /= longest;
  return std::make_shared<EmpiricalRisk>(durations, "trace");
}

std::vector<WorksharingProblem> problems() {
  std::vector<WorksharingProblem> list;
  for (const RiskPtr& law : {make_linear_risk(), risk("weibull(shape=0.7, scale=0.3)"), heavy_trace()})
    for (const double startup : {0.1, 0.01})
      for (const auto& [p, work] : {std::pair<std::size_t, double>{1, 0.7}, {5, 1.0}, {10, 3.0}, {25, 7.5}, {7, 7.0}})
        list.push_back({p, work, startup, law, 1.0});
  return list;
}

const std::vector<Granularity> kGranularities = {{Granularity::Kind::kPerUnit, 13},
                                                 {Granularity::Kind::kPerSlice, 11},
                                                 {Granularity::Kind::kAuto, 0},
                                                 {Granularity::Kind::kAutoPaper, 0}};

/// All but those that are made for special problems and tested apart.
std::vector<Strategy> general_strategies() {
  const std::set<std::string> special = {"optimal", "two-workers", "single-optimal", "best"};
  std::vector<Strategy> list;
  for (const Strategy& strategy : worksharing_strategies())
    if (!special.contains(strategy.name)) list.push_back(strategy);
  return list;
}

bool in_section_six(const Strategy& strategy) { return strategy.source == "worksharing-2013, Section 6.1"; }

/// As much work as all can do: each worker has its own, and all of it would be too risky.
bool holds_work_back(const Strategy& strategy, const WorksharingProblem& problem, const Granularity& granularity) {
  return granularity.kind == Granularity::Kind::kAuto && !in_section_six(strategy) &&
         problem.work >= static_cast<double>(problem.workers) * problem.max_slice();
}

TEST(Strategies, GiveNoWorkerAChunkTwiceAndEveryChunkToSomebody) {
  for (const Strategy& strategy : general_strategies())
    for (const WorksharingProblem& problem : problems())
      for (const Granularity& granularity : kGranularities) {
        const Plan plan = strategy.build(problem, granularity);
        if (!plan.schedule) continue;
        std::set<std::size_t> given;
        for (std::size_t w = 0; w < problem.workers; ++w) {
          std::set<std::size_t> own;
          for (const Task& task : plan.schedule->tasks(w).tasks) ASSERT_TRUE(own.insert(task.first_piece).second);
          given.merge(own);
        }
        ASSERT_EQ(given.size(), plan.schedule->pieces()) << strategy.name;
        ASSERT_EQ(plan.chunks, plan.schedule->pieces()) << strategy.name;
        const double most = static_cast<double>(problem.workers) * problem.max_slice();
        if (holds_work_back(strategy, problem, granularity))
          ASSERT_LE(plan.schedule->deployed_work(), most * (1 + 1e-12)) << strategy.name;
        else
          ASSERT_NEAR(plan.schedule->deployed_work(), std::min(problem.work, most), 1e-12) << strategy.name;
      }
}

TEST(Strategies, FinishTasksBackToBack) {
  for (const Strategy& strategy : general_strategies())
    for (const WorksharingProblem& problem : problems())
      for (const Granularity& granularity : kGranularities) {
        const Plan plan = strategy.build(problem, granularity);
        if (!plan.schedule) continue;
        for (std::size_t w = 0; w < problem.workers; ++w) {
          const TaskList list = plan.schedule->tasks(w);
          const FinishTimes exact = back_to_back(list.tasks, plan.schedule->piece_sizes(), problem.startup_cost);
          for (std::size_t k = 0; k < list.finish.size(); ++k)
            ASSERT_NEAR(list.finish[k], exact[k], 1e-14 * (1 + exact[k])) << strategy.name;
        }
      }
}

TEST(Strategies, NeverExpectLessWithAutoThanWithThePapersSearch) {
  for (const Strategy& strategy : general_strategies())
    for (const WorksharingProblem& problem : problems()) {
      if (strategy.name == "no-replication" || strategy.name == "refined")
        continue;  // there auto-paper also takes totals that auto leaves out
      const double best = strategy.build(problem, {Granularity::Kind::kAuto, 0}).expected_work;
      const double paper = strategy.build(problem, {Granularity::Kind::kAutoPaper, 0}).expected_work;
      EXPECT_GE(best, paper * (1 - 1e-10)) << strategy.name;
    }
}

// The sceptic's check of auto: every count in the whole range, through the schedule itself.
TEST(Strategies, FindTheGranularityThatAFullScanFinds) {
  for (const Strategy& strategy : general_strategies())
    for (const WorksharingProblem& problem : problems()) {
      if (problem.startup_cost < 0.05 && problem.workers > 10) continue;  // minutes otherwise
      if (strategy.name == "refined") continue;                           // takes greedy's granularity
      WorksharingProblem one_slice = problem;
      one_slice.coteries = 1;
      const double found = strategy.build(one_slice, {Granularity::Kind::kAuto, 0}).expected_work;
      const auto limit = static_cast<std::size_t>(problem.local_load() / problem.startup_cost);
      double best = 0;
      const std::size_t most = in_section_six(strategy) ? 400 : std::min<std::size_t>(limit, 400);
      for (std::size_t n = 1; n <= most; ++n) {
        std::size_t total = n;  // group schedules: per slice
        if (strategy.name == "no-replication") total = n * problem.workers;
        best = std::max(best, strategy.build(one_slice, {Granularity::Kind::kPerSlice, total}).expected_work);
      }
      ASSERT_GE(found, best * (1 - 1e-10)) << strategy.name << " p " << problem.workers << " W " << problem.work
                                           << " eps " << problem.startup_cost << " " << problem.risk->text();
    }
}

TEST(Strategies, RefinedIsNeverBelowGreedyAndBestBelowNone) {
  for (const WorksharingProblem& problem : problems())
    for (const Granularity& granularity : {kGranularities[0], kGranularities[2]}) {
      const auto expected = [&](const char* name) {
        return worksharing_strategy(name).build(problem, granularity).expected_work;
      };
      const double best = expected("best");
      EXPECT_GE(expected("refined"), expected("greedy"));
      for (const char* name : {"greedy", "refined", "no-replication", "cyclic-replication"})
        EXPECT_GE(best, expected(name)) << name;
    }
}

// [worksharing-2013, Table 3(g)]: K = 23780.
TEST(Strategies, OptimalHasTheConstantOfTable3) {
  const WorksharingProblem problem{4, 1, 0, make_linear_risk(), 1.0};
  const Plan plan = worksharing_strategy("optimal").build(problem, {Granularity::Kind::kPerSlice, 20});

  EXPECT_NEAR(plan.expected_work, 1 - 23780.0 * 4 * std::pow(1.0 / 20, 5), 1e-14);
  EXPECT_THROW(
      worksharing_strategy("optimal").build({7, 1, 0, make_linear_risk(), 1.0}, {Granularity::Kind::kPerSlice, 400}),
      InputError);
}

// [worksharing-2013, Theorems 2 and 4]
TEST(Strategies, SingleOptimalIsTheTheoremOnEachWorker) {
  const WorksharingProblem free{3, 6, 0, make_linear_risk(), 1.0};
  const Plan three = worksharing_strategy("single-optimal").build(free, {Granularity::Kind::kPerSlice, 3});
  const WorksharingProblem charged{2, 4, 0.1, make_linear_risk(), 1.0};
  const Plan best = worksharing_strategy("single-optimal").build(charged, {Granularity::Kind::kAuto, 0});

  EXPECT_NEAR(three.expected_work, 3 * 0.375, 1e-14);  // n X / (2 (n + 1)) a worker
  EXPECT_GT(best.expected_work, worksharing_strategy("no-replication").build(charged, kGranularities[2]).expected_work);
}

TEST(Strategies, TwoWorkersAsksForTwoWorkersAndForChunksOrAStartUpCost) {
  const Strategy& two = worksharing_strategy("two-workers");
  const Granularity one{Granularity::Kind::kPerSlice, 1};

  EXPECT_NEAR(two.build({2, 0.5, 0, make_linear_risk(), 1.0}, one).expected_work, 0.375, 1e-14);  // Theorem 7
  EXPECT_THROW(two.build({3, 0.5, 0, make_linear_risk(), 1.0}, one), InputError);
  EXPECT_THROW(two.build({2, 0.5, 0, make_linear_risk(), 1.0}, {Granularity::Kind::kAuto, 0}), InputError);
  // One chunk each: all of it mirrored, or halves.
  EXPECT_NEAR(two.build({2, 0.5, 0.1, make_linear_risk(), 1.0}, one).expected_work,
              std::max(0.5 * (1 - 0.36), 0.5 * (1 - 0.35)), 1e-12);
  const Plan free_count = two.build({2, 0.5, 0.1, make_linear_risk(), 1.0}, {Granularity::Kind::kAuto, 0});
  EXPECT_GT(free_count.expected_work, 0.326);
  EXPECT_NEAR(free_count.expected_work, expected_work(*free_count.schedule, make_linear_risk()), 1e-15);
}

TEST(SliceObjective, EqualsTheScheduleItStandsFor) {
  for (const ChartBuilder chart : {cyclic_chart, reverse_chart, fat_snake_chart, greedy_chart})
    for (const std::size_t g : {1, 2, 3, 7, 10})
      for (std::size_t n = 1; n <= 40; ++n)
        for (const RiskPtr& law : {make_linear_risk(), heavy_trace()}) {
          WorksharingProblem problem{g, 0.8, 0.01, law, 1.0, 1};
          SliceObjective objective(g, 0.8, 0.01, *law, chart);
          const Plan plan = group_plan(problem, {Granularity::Kind::kPerSlice, n}, chart);
          ASSERT_NEAR(objective.expected(n), plan.expected_work, 1e-13) << g << " " << n;
          ASSERT_GE(objective.upper_bound(n, n), plan.expected_work * (1 - 1e-13)) << g << " " << n;
          ASSERT_GE(objective.upper_bound(n > 5 ? n - 5 : 1, n + 7), plan.expected_work * (1 - 1e-13));
        }
}

TEST(SliceObjective, GivesABoundOnlyWhereThatIsEnough) {
  const RiskPtr safe_at_first = std::make_shared<EmpiricalRisk>(std::vector{0.2, 0.3, 0.5, 0.8, 1.0}, "durations");
  for (const ChartBuilder chart : {cyclic_chart, fat_snake_chart, greedy_chart})
    for (const std::size_t g : {1, 2, 3, 4, 7, 10}) {
      int bounds = 0;
      for (const RiskPtr& law : {make_linear_risk(), heavy_trace(), safe_at_first}) {
        SliceObjective objective(g, 0.8, 0.01, *law, chart);
        for (std::size_t n = 1; n <= 40; ++n)
          for (const double share : {0.0, 0.9, 0.999, 1.0, 1.001, 1.1}) {
            const double exact = objective.expected(n);
            const WorkEstimate estimate = objective.expected(n, share * exact);
            ASSERT_GE(estimate.work, exact) << g << " " << n << " " << law->text();
            ASSERT_LE(estimate.work, estimate.exact ? exact : share * exact) << g << " " << n << " " << law->text();
            if (!estimate.exact) ++bounds;
          }
      }
      EXPECT_EQ(bounds > 0, g != 1 && g != 3) << g;
    }
}

/// Ten chunks of 0.1 of a slice that is longer by 5e-11: the tenth ends at the jump.
TEST(SliceObjective, HasABoundForChunksThatAreNotQuiteEqualParts) {
  const EmpiricalRisk law({1, 2}, "law");
  const double work = 1.00000000005;
  const SliceObjective objective(1, work, 0, law, greedy_chart);
  const Chunking chunking = Chunking::per_unit(work, 10);
  ASSERT_TRUE(chunking.uniform());
  EXPECT_GE(objective.upper_bound(chunking), work);
}

TEST(SliceObjective, HasABoundThatNoNumberOfChunksExceeds) {
  for (const std::size_t g : {1, 2, 5, 12})
    for (const double startup : {0.1, 0.01, 0.001})
      for (const RiskPtr& law : {make_linear_risk(), heavy_trace()}) {
        SliceObjective objective(g, 0.8, startup, *law, greedy_chart);
        double best = 0;
        for (std::size_t n = 1; n <= 200; ++n) best = std::max(best, objective.expected(n));
        const double bound = objective.upper_bound_of_all();
        ASSERT_GE(bound, best) << g << " " << startup << " " << law->text();
        ASSERT_LE(bound, 0.8);
        if (g > 1) continue;
        ASSERT_LE(bound, 1.05 * best) << startup << " " << law->text();
      }
}

TEST(AutoGranularity, DoesNotHangOnTheUnitOfTime) {
  constexpr double kSeconds = 1 << 17;  // a power of two, so that all times scale without rounding
  for (const char* name :
       {"brute", "cyclic-replication", "no-replication", "random-replication", "greedy", "refined", "best"}) {
    const auto plan = [&](double unit) {
      const RiskPtr law =
          make_parametric_risk(Expression::parse(fmt::format("weibull(shape=0.5, scale={})", unit / 64)));
      return worksharing_strategy(name).build({20, unit, unit / 512, law, 1.0}, {Granularity::Kind::kAuto});
    };
    const Plan scaled = plan(kSeconds);
    EXPECT_EQ(scaled.chunks, plan(1).chunks) << name;
    EXPECT_NEAR(scaled.expected_work / kSeconds, plan(1).expected_work, 1e-12) << name;
  }
}

TEST(CyclicReplication, FastExpectationEqualsTheSchedule) {
  for (const std::size_t p : {1, 2, 5, 12, 25})
    for (std::size_t chunks = 1; chunks <= 60; ++chunks)
      for (const double work : {0.5, 1.0, 4.0})
        for (const RiskPtr& law : {make_linear_risk(), heavy_trace()}) {
          const WorksharingProblem problem{p, work, 0.01, law, 1.0};
          const Plan plan = cyclic_replication_plan(problem, {Granularity::Kind::kPerSlice, chunks});
          ASSERT_NEAR(expected_by_cyclic_replication(problem, chunks), plan.expected_work, 1e-13)
              << p << " " << chunks << " " << work;
        }
}

// [worksharing-2013, Section 6.1]: "when the number of chunks is a multiple of p, this heuristic is identical".
TEST(CyclicReplication, IsNoReplicationWherePDividesTheChunks) {
  const WorksharingProblem problem{5, 2, 0.01, make_linear_risk(), 1.0};
  const Granularity thirty{Granularity::Kind::kPerSlice, 30};

  EXPECT_DOUBLE_EQ(worksharing_strategy("cyclic-replication").build(problem, thirty).expected_work,
                   worksharing_strategy("no-replication").build(problem, thirty).expected_work);
}

// [worksharing-2013, Table 1 is general, Table 2 its group form]: reverse, g = 4, n = 12, worker by worker.
TEST(GroupSchedule, RunsTheChunksOfTable1) {
  const WorksharingProblem problem{4, 1, 0, make_linear_risk(), 1.0};
  const Plan plan = group_plan(problem, {Granularity::Kind::kPerSlice, 12}, reverse_chart);
  std::vector<std::vector<std::size_t>> step_of(4, std::vector<std::size_t>(12));
  for (std::size_t w = 0; w < 4; ++w)
    for (std::size_t k = 0; k < 12; ++k) step_of[w][plan.schedule->tasks(w).tasks[k].first_piece] = k + 1;

  // Table 1 row by row (its rows are our workers in the order 0, 3, 2, 1).
  EXPECT_EQ(step_of[0], (std::vector<std::size_t>{1, 6, 9, 12, 2, 5, 8, 11, 3, 4, 7, 10}));
  EXPECT_EQ(step_of[3], (std::vector<std::size_t>{6, 9, 12, 1, 5, 8, 11, 2, 4, 7, 10, 3}));
}

// Equation with K after Table 2, for the greedy chart of Table 3(f): E = sl - K g/kappa (sl kappa / n)^(g+1).
TEST(GroupSchedule, HasTheExpectationOfItsPerformanceConstant) {
  const WorksharingProblem problem{4, 1, 0, make_linear_risk(), 1.0};
  const Plan plan = group_plan(problem, {Granularity::Kind::kPerSlice, 20}, greedy_chart);

  EXPECT_NEAR(plan.expected_work, 1 - 24390.0 * 4 * std::pow(1.0 / 20, 5), 1e-14);
}

// One coterie of 10,000 workers would need more chunks than can be held, and no slice is too long for it.
TEST(GroupSchedule, HasMoreCoteriesWhereOneWouldNeedMoreChunksThanCanBeHeld) {
  WorksharingProblem problem{10'000, 7000, 0.05, risk("exponential(rate=1)"), 1.0};
  const Granularity automatic{Granularity::Kind::kAuto, 0};
  const std::size_t coteries = coteries_that_fit(problem, automatic);
  EXPECT_GE(coteries, 16u);
  EXPECT_LE(coteries, 1024u);
  problem.unbounded_coteries = coteries;
  EXPECT_EQ(partition(problem).slices.size(), coteries);
  EXPECT_EQ(coteries_that_fit(problem, {Granularity::Kind::kPerSlice, 2000}), 1u);
  problem.coteries = 3;
  EXPECT_EQ(coteries_that_fit(problem, automatic), 1u);
  EXPECT_EQ(coteries_that_fit({10'000, 7000, 0.05, make_linear_risk(), 1.0}, automatic), 1u);
  EXPECT_EQ(coteries_that_fit({100, 70, 0.05, risk("exponential(rate=1)"), 1.0}, automatic), 1u);
}

TEST(FixedChunks, AreExactlyOneNthAndTheLastIsSmaller) {
  const WorksharingProblem problem{3, 1.25, 0, make_linear_risk(), 1.0};
  const Plan plan = worksharing_strategy("brute").build(problem, {Granularity::Kind::kPerUnit, 10});

  EXPECT_EQ(plan.chunks, 13u);
  EXPECT_EQ(plan.schedule->tasks(0).finish[2], 0.3);
  EXPECT_NEAR(plan.schedule->piece_sizes()[12], 0.05, 1e-15);
}

TEST(RandomReplication, ExpectsAllOfTheWorkWhereNothingIsAtRisk) {
  const RiskPtr safe = std::make_shared<EmpiricalRisk>(std::vector<double>{100.0}, "safe");
  for (int tenths = 1; tenths <= 60; ++tenths)
    for (const std::size_t chunks : {3, 7, 10, 49, 97}) {
      const double work = tenths / 10.0;
      const Plan plan = worksharing_strategy("random-replication")
                            .build({3, work, 0, safe, 1.0}, {Granularity::Kind::kPerUnit, chunks});
      ASSERT_NEAR(plan.expected_work, work, 1e-12) << work << " " << chunks;  // NaN is near nothing
    }
}

TEST(Strategies, KeepTheTimesOfWorkersWithAsManyChunksOnce) {
  const WorksharingProblem problem{10, 5, 0.01, make_linear_risk(), 1.0};
  for (const char* name : {"greedy", "cyclic-replication", "no-replication"}) {
    const Plan plan = worksharing_strategy(name).build(problem, {Granularity::Kind::kPerSlice, 12});
    const FinishTimes& first = plan.schedule->tasks(0).finish;
    std::size_t as_many = 0;
    for (std::size_t w = 1; w < problem.workers; ++w) {
      const FinishTimes& other = plan.schedule->tasks(w).finish;
      if (other.size() != first.size()) continue;
      ++as_many;
      EXPECT_TRUE(other.shares(first)) << name << " " << w;
    }
    EXPECT_GE(as_many, 1u) << name;
  }
}

// A few coteries may be held in memory, all of them together not: told before any room is asked for.
TEST(Strategies, RefuseMoreTasksThanCanBeHeldTogether) {
  const WorksharingProblem problem{100'000, 50'000, 0.001, make_linear_risk(), 1.0};
  EXPECT_THROW(worksharing_strategy("greedy").build(problem, {Granularity::Kind::kPerSlice, 1'000'000}), InputError);
}

TEST(Strategies, RefuseWhatMakesNoSense) {
  const RiskPtr law = make_linear_risk();
  EXPECT_THROW((WorksharingProblem{0, 1, 0, law, 1.0}.validate()), InputError);
  EXPECT_THROW((WorksharingProblem{1, 0, 0, law, 1.0}.validate()), InputError);
  EXPECT_THROW((WorksharingProblem{1, 1, -0.1, law, 1.0}.validate()), InputError);
  EXPECT_THROW((WorksharingProblem{1, 1, 0, law, 1.5}.validate()), InputError);
  EXPECT_THROW((WorksharingProblem{2, 1, 0, law, 1.0, 3}.validate()), InputError);
  EXPECT_THROW(worksharing_strategy("greddy"), InputError);
  for (const Strategy& strategy : worksharing_strategies())
    EXPECT_THROW(strategy.build({2, 1, 0, law, 1.0}, {Granularity::Kind::kAuto, 0}), InputError) << strategy.name;
}

}  // namespace
}  // namespace coterie::heuristics
