#include "heuristics/ceilings/static_ceiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr risk_of(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

std::vector<RiskPtr> risks() {
  return {make_linear_risk(), make_linear_risk(0.3), risk_of("exponential(rate=2)"),
          risk_of("weibull(shape=0.5, scale=1)"), risk_of("weibull(shape=3, scale=1)"),
          risk_of("lognormal(median=0.5, sigma=1.5)"),
          std::make_shared<EmpiricalRisk>(std::vector<double>{0.2, 0.2, 0.7, 0.9, 1.4}, "five spells"),
          // Two of five are never interrupted.
          std::make_shared<EmpiricalRisk>(StepLaw{std::vector<double>{0.1, 0.5}, std::vector<double>{0.2, 0.4}},
                                          "open tail")};
}

TEST(StaticCeiling, NoStrategyExceedsIt) {
  for (const RiskPtr& risk : risks())
    for (const double startup : {0.0, 0.02})
      for (const auto& [workers, work] : std::vector<std::pair<std::size_t, double>>{{3, 1}, {8, 3}, {8, 20}}) {
        const WorksharingProblem problem{workers, work, startup, risk, 1, 0};
        const double ceiling = static_ceiling(problem);
        EXPECT_LE(ceiling, work);
        for (const auto& strategy : worksharing_strategies()) {
          if (strategy.name == "optimal" || strategy.name == "best") continue;  // slow; greedy's chunks, or theirs
          if (strategy.refuse != nullptr) try {
              strategy.refuse(problem, {Granularity::Kind::kPerUnit, 30});
            } catch (const InputError&) {
              continue;
            }
          const double expected = strategy.build(problem, {Granularity::Kind::kPerUnit, 30}).expected_work;
          EXPECT_LE(expected, ceiling * (1 + 1e-12))
              << strategy.name << ' ' << workers << ' ' << work << ' ' << startup << ' ' << risk->text();
        }
      }
}

/// Any chunks at all: sizes, overlaps, repetitions, waiting.
Schedule random_schedule(std::size_t workers, double work, double startup, std::mt19937& draw) {
  const auto real = [&](double most) { return std::uniform_real_distribution<double>(0, most)(draw); };
  const auto whole = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(draw); };
  const std::size_t pieces = 1 + whole(11);
  std::vector<double> boundaries = {0, work};
  for (std::size_t i = 1; i < pieces; ++i) boundaries.push_back(real(work));
  std::sort(boundaries.begin(), boundaries.end());
  std::vector<double> sizes;
  for (std::size_t i = 0; i < pieces; ++i) sizes.push_back(boundaries[i + 1] - boundaries[i]);
  TaskLists lists;
  for (std::size_t w = 0; w < workers; ++w) {
    std::vector<double> finish;
    double clock = 0;
    const std::size_t tasks = whole(8);
    for (std::size_t k = 0; k < tasks; ++k) {
      const auto first = static_cast<std::uint32_t>(whole(pieces - 1));
      const auto count = static_cast<std::uint32_t>(1 + whole(std::min<std::size_t>(2, pieces - 1 - first)));
      lists.add({first, count});
      for (std::uint32_t i = 0; i < count; ++i) clock += sizes[first + i];
      clock += startup + (whole(5) == 0 ? real(0.1) : 0);
      finish.push_back(clock);
    }
    lists.close(std::move(finish));
  }
  return Schedule(std::move(boundaries), std::move(lists));
}

TEST(StaticCeiling, NoScheduleExceedsIt) {
  std::mt19937 draw(7);
  for (const RiskPtr& risk : risks())
    for (const double startup : {0.0, 0.02})
      for (const auto& [workers, work] : std::vector<std::pair<std::size_t, double>>{{1, 1.2}, {4, 2}}) {
        const double ceiling = static_ceiling({workers, work, startup, risk, 1, 0});
        for (int i = 0; i < 200; ++i)
          EXPECT_LE(expected_work(random_schedule(workers, work, startup, draw), risk), ceiling * (1 + 1e-12));
      }
}

/// Of any kind: with a density, jumps, an open tail, an age, a mixture of two of them.
RiskPtr drawn_risk(std::mt19937& draw, int depth = 0) {
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(draw); };
  const int kind = std::uniform_int_distribution<int>(0, depth > 0 ? 5 : 7)(draw);
  if (kind == 6) {
    const RiskPtr fresh = drawn_risk(draw, 1);
    return std::make_shared<AgedRisk>(fresh, real(0, 0.3) * fresh->effective_horizon(), "aged");
  }
  if (kind == 7) {
    const std::vector<RiskPtr> two = {drawn_risk(draw, 1), drawn_risk(draw, 1)};
    return std::make_shared<MixtureRisk>(two, std::vector<double>{real(0.1, 1), 1}, "mixture");
  }
  if (kind == 0) return make_linear_risk(real(0.2, 3));
  if (kind == 1)
    return make_parametric_risk(Expression::parse("exponential(rate=" + std::to_string(real(0.2, 4)) + ")"));
  if (kind == 2)
    return make_parametric_risk(Expression::parse("weibull(shape=" + std::to_string(real(0.3, 4)) + ", scale=1)"));
  if (kind == 3)
    return make_parametric_risk(Expression::parse("lognormal(median=" + std::to_string(real(0.1, 1)) +
                                                  ", sigma=" + std::to_string(real(0.3, 3)) + ")"));
  std::vector<double> durations, weights;
  const int count = std::uniform_int_distribution<int>(1, 40)(draw);
  double time = 0;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    durations.push_back(time += std::pow(10, real(-3, 0)));
    weights.push_back(real(0.1, 1));
    sum += weights.back();
  }
  if (kind == 4) sum /= real(0.3, 1);  // an open tail
  for (double& weight : weights) weight /= sum;
  return std::make_shared<EmpiricalRisk>(StepLaw{durations, weights}, "drawn");
}

/// Of a problem that is drawn: every strategy, and lists that are drawn, are at most the ceiling.
void look_at_a_problem(std::mt19937& draw) {
  const auto whole = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(1, most)(draw); };
  const auto order = [&](double low, double high) {
    return std::pow(10, std::uniform_real_distribution<double>(low, high)(draw));
  };
  WorksharingProblem problem{whole(12), order(-1.5, 1.5), whole(6) == 1 ? 0 : order(-3, 0), drawn_risk(draw), 1, 0};
  if (whole(3) == 1) {
    for (std::size_t w = 0; w < problem.workers; ++w)
      problem.worker_risks.push_back(w > 0 && whole(2) == 1 ? problem.worker_risks[w - 1] : drawn_risk(draw));
    problem.risk = std::make_shared<MixtureRisk>(problem.worker_risks, std::vector<double>(problem.workers, 1), "all");
  }
  const double ceiling = static_ceiling(problem);
  const std::string text = problem.risk->text() + ' ' + std::to_string(problem.workers) + ' ' +
                           std::to_string(problem.work) + ' ' + std::to_string(problem.startup_cost);
  EXPECT_LE(ceiling, problem.work);
  for (int i = 0; i < 10; ++i)
    EXPECT_LE(
        expected_work(random_schedule(problem.workers, problem.work, problem.startup_cost, draw), problem.risks()),
        ceiling * (1 + 1e-12))
        << text;
  const Granularity some{Granularity::Kind::kPerSlice, whole(20)};
  const bool with_best = whole(8) == 1;
  for (const auto& strategy : worksharing_strategies()) {
    if (strategy.name == "optimal" || strategy.refuse != nullptr) continue;
    if (strategy.name == "best" && !with_best) continue;  // takes longer than all others
    const bool searched = problem.startup_cost > 0 && strategy.name == "best";
    EXPECT_LE(strategy.build(problem, searched ? Granularity{} : some).expected_work, ceiling * (1 + 1e-12))
        << strategy.name << ' ' << text;
  }
}

/// Machines that have been up for times of their own.
WorksharingProblem of_drawn_ages(std::size_t workers, double work) {
  WorksharingProblem problem{workers, work, 0.01, risk_of("weibull(shape=0.6, scale=1)"), 1, 0};
  std::mt19937 draw(11);
  std::exponential_distribution<double> age(1);
  for (std::size_t w = 0; w < workers; ++w)
    problem.worker_risks.push_back(std::make_shared<AgedRisk>(problem.risk, age(draw), "aged"));
  problem.risk = std::make_shared<MixtureRisk>(problem.worker_risks, std::vector<double>(workers, 1), "all");
  return problem;
}

TEST(StaticCeiling, KnowsMoreThanAHundredUnlikeWorkers) {
  const WorksharingProblem problem = of_drawn_ages(150, 60);
  const double expected = worksharing_strategy("greedy").build(problem, {Granularity::Kind::kPerUnit, 5}).expected_work;
  const double ceiling = static_ceiling(problem);
  EXPECT_LE(expected, ceiling * (1 + 1e-12));
  EXPECT_LE(ceiling, 60);
  EXPECT_GE(expected, 0.9 * ceiling);
  EXPECT_TRUE(std::isnan(static_ceiling(of_drawn_ages(1001, 200))));
}

// 2000 of them with COTERIE_FULL=1.
TEST(StaticCeiling, HoldsForDrawnProblems) {
  std::mt19937 draw(5);
  const char* set = std::getenv("COTERIE_FULL");
  const int problems = set != nullptr && std::string(set) == "1" ? 2000 : 25;
  for (int i = 0; i < problems; ++i) look_at_a_problem(draw);
}

// One worker: nothing is lost by the tangent, so that the ceiling is its optimum but for the grid.
TEST(StaticCeiling, IsTheOptimumOfOneWorker) {
  for (const RiskPtr& risk : risks()) {
    const bool exact = !risk->breaks().empty() && !risk->linear_rate();
    for (const double startup : {0.01, 0.1})
      for (const double work : {0.3, 5.0}) {
        const double best = optimal_chunks({work, std::nullopt, startup, risk}).expected_work;
        const double ceiling = static_ceiling({1, work, startup, risk, 1, 0});
        EXPECT_GE(ceiling, best * (1 - 1e-12)) << risk->text();
        EXPECT_LE(ceiling, best * (exact ? 1 + 1e-2 : 1 + 2e-3)) << risk->text() << ' ' << startup << ' ' << work;
      }
  }
}

TEST(StaticCeiling, IsCloseForManyWorkers) {
  // Ceilings against `best`. Tangents alone, with work that one copy makes safe counted as 1, left 2.0 % on average.
  struct Case {
    std::size_t workers;
    double work, startup;
  };
  const std::vector<Case> cases = {{5, 1, 0.1},     {5, 2, 0.01},   {5, 3, 0.001}, {25, 5, 0.01},  {25, 10, 0.01},
                                   {25, 13, 0.001}, {25, 17, 0.01}, {25, 10, 0.1}, {100, 40, 0.1}, {100, 50, 0.001}};
  double sum = 0;
  for (const auto& [workers, work, startup] : cases) {
    const WorksharingProblem problem{workers, work, startup, make_linear_risk(), 1, 0};
    const double best = worksharing_strategy("best").build(problem, {}).expected_work;
    const double ceiling = static_ceiling(problem);
    EXPECT_GE(ceiling, best);
    EXPECT_LE(ceiling, best * 1.01) << workers << ' ' << work << ' ' << startup;
    sum += 100 * (ceiling / best - 1);
  }
  EXPECT_LE(sum / static_cast<double>(cases.size()), 0.4);
}

/// Workers of unlike classes, some of whom have the same risk object.
WorksharingProblem unlike(std::size_t workers, double work, double startup) {
  WorksharingProblem problem{workers, work, startup, risks()[2], 1, 0};
  static const std::vector<RiskPtr> kinds = risks();
  for (std::size_t w = 0; w < workers; ++w) problem.worker_risks.push_back(kinds[w * 5 % kinds.size()]);
  return problem;
}

TEST(StaticCeiling, NoScheduleOfUnlikeWorkersExceedsIt) {
  std::mt19937 draw(9);
  SliceCache memory;
  for (const double startup : {0.0, 0.02})
    for (const std::size_t workers : {2, 5, 11})
      for (const double work : {0.5, 2.0, 7.0}) {
        const WorksharingProblem problem = unlike(workers, work, startup);
        const double ceiling = static_ceiling(problem, &memory);
        for (int i = 0; i < 60; ++i)
          EXPECT_LE(expected_work(random_schedule(workers, work, startup, draw), problem.risks()),
                    ceiling * (1 + 1e-12));
        const double greedy =
            worksharing_strategy("greedy").build(problem, {Granularity::Kind::kPerUnit, 9}).expected_work;
        EXPECT_LE(greedy, ceiling * (1 + 1e-12));
      }
}

TEST(StaticCeiling, IsThatOfWorkersAlikeWhoeverTellsTheirRisks) {
  const RiskPtr risk = make_linear_risk();
  WorksharingProblem problem{6, 3, 0.01, risk, 1, 0};
  const double ceiling = static_ceiling(problem);
  problem.risk = risks()[3];  // what plans are made for
  problem.worker_risks.assign(6, risk);
  EXPECT_NEAR(static_ceiling(problem), ceiling, 1e-12 * ceiling);
  problem.worker_risks.assign(1, risk);
  EXPECT_EQ(static_ceiling(problem), ceiling);
}

// Whatever was asked before, to the last bit.
TEST(StaticCeiling, DoesNotDependOnWhatIsRemembered) {
  SliceCache memory;
  std::vector<WorksharingProblem> problems;
  for (const double work : {3.0, 0.1, 40.0, 2.9, 3.1})
    for (const std::size_t workers : {5, 50}) problems.push_back({workers, work, 0.01, risks()[5], 1, 0});
  for (WorksharingProblem& problem : problems) problem.risk = problems.front().risk;
  for (const WorksharingProblem& problem : problems)
    EXPECT_EQ(static_ceiling(problem, &memory), static_ceiling(problem));
}

TEST(StaticCeiling, Extremes) {
  const auto ceiling = [](std::size_t workers, double work, double startup, const RiskPtr& risk) {
    return static_ceiling({workers, work, startup, risk, 1, 0});
  };
  EXPECT_EQ(ceiling(4, 2, 1, make_linear_risk()), 0);  // nobody lives longer than a start-up cost
  EXPECT_EQ(ceiling(4, 2, 1.5, make_linear_risk()), 0);
  EXPECT_EQ(ceiling(1'000'000, 2, 0, make_linear_risk()), 2);
  EXPECT_NEAR(ceiling(2, 1e9, 0, make_linear_risk()), 1, 1e-3);  // each half of its life
  EXPECT_NEAR(ceiling(2, 1e-9, 0, make_linear_risk()), 1e-9, 1e-17);
  // A million times the work that two workers can do who leave at 1 or never: what is left to do never ends.
  const auto open =
      std::make_shared<EmpiricalRisk>(StepLaw{std::vector<double>{1.0}, std::vector<double>{0.5}}, "half stay");
  EXPECT_NEAR(ceiling(1, 1e6, 0, open), 1 + 0.5 * (1e6 - 1), 1);
}

}  // namespace
}  // namespace coterie::heuristics
