// Bounds that no schedule may exceed, against what schedules expect: over all numbers of chunks, far beyond those that
// the paper searches, and where a time or a sum rounds the wrong way.
#include "heuristics/chunks/loss_bounds.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "heuristics/worksharing/group_schedule.hpp"
#include "tests/heuristics/chunks/random_slices.hpp"

namespace coterie::heuristics {
namespace {

int rounds() { return std::getenv("COTERIE_FULL") != nullptr ? 300 : 32; }

TEST(LowerMean, IsNoMoreThanTheMeanAndNearIt) {
  for (const std::size_t count : {1, 2, 255, 256, 257, 1000, 100'000})
    for (const double end : {0.3, 1.0, 7.0}) {
      const auto value = [&](std::size_t s) {
        return std::min(1.0, end * static_cast<double>(s) / static_cast<double>(count));
      };
      double sum = 0;
      for (std::size_t s = 1; s <= count; ++s) sum += value(s);
      const double mean = sum / static_cast<double>(count);
      EXPECT_LE(lower_mean(count, 1.0, value), mean * (1 + 1e-12)) << count << " " << end;
      EXPECT_GE(lower_mean(count, 1.0, value), mean * 0.99) << count << " " << end;
    }
}

TEST(StepsWithoutRisk, CountsThoseThatEndNoLaterThanTheFirstInterruption) {
  const EmpiricalRisk risk({0.3, 1.0}, "durations");
  EXPECT_EQ(steps_without_risk(risk, 0.1, 100), 3u);  // though 3 * 0.1 > 0.3
  EXPECT_EQ(steps_without_risk(risk, 0.3, 100), 1u);
  EXPECT_EQ(steps_without_risk(risk, 0.31, 100), 0u);
  EXPECT_EQ(steps_without_risk(risk, 0.001, 100), 100u);
  EXPECT_EQ(steps_without_risk(risk, 1e-300, std::size_t{1} << 60), std::size_t{1} << 60);
  EXPECT_EQ(steps_without_risk(*make_linear_risk(), 0.1, 100), 0u);
}

// Slices of up to a hundred times what a worker lives, start-up costs up to twice that, one to thirty workers; counts
// up to twelve thousand, far beyond where the paper ends its search.
TEST(BoundOfAllCounts, IsNotExceededByAnyCount) {
  sim::Dice dice("bounds of all counts");
  for (int round = 0; round < rounds(); ++round) {
    const RiskPtr risk = random_risk(dice, static_cast<std::size_t>(round));
    const std::size_t g = round % 3 == 0 ? 1 : dice.whole(2, 30);
    const double slice = log_uniform(dice, 0.05, 100);
    const double startup = log_uniform(dice, 0.001, 2);
    SliceObjective objective(g, slice, startup, *risk, greedy_chart);
    const double bound = objective.upper_bound_of_all() * (1 + 1e-13);
    ASSERT_LE(bound, slice * (1 + 1e-12));
    for (std::size_t n = 1; n <= 12'000; n += 1 + n / 20)
      ASSERT_GE(bound, objective.expected(n)) << risk->text() << " " << g << " " << slice << " " << startup << " " << n;
  }
}

// Chunks that end where a worker was interrupted, and a last chunk that is smaller: it may go where it costs least.
TEST(BoundOfASlice, HoldsForChunksOfAFixedSize) {
  sim::Dice dice("bounds of slices");
  for (int round = 0; round < 20 * rounds(); ++round) {
    const RiskPtr risk =
        round % 2 == 0 ? random_durations(dice, 4, false) : random_risk(dice, static_cast<std::size_t>(round / 2));
    const std::size_t g = dice.whole(1, 4);
    const double work = dice.real(0.1, 2.5);
    const double startup = round % 4 < 2 ? 0 : log_uniform(dice, 0.001, 0.3);
    const WorksharingProblem problem{g, work, startup, risk, 1.0, 1};
    const double slice = partition(problem).slices.front().size;
    SliceObjective objective(g, slice, startup, *risk, greedy_chart);
    for (const ChartBuilder chart : {cyclic_chart, reverse_chart, greedy_chart}) {
      const Plan plan = group_plan(problem, {Granularity::Kind::kPerUnit, dice.whole(1, 6)}, chart);
      ASSERT_GE(objective.upper_bound(plan.coteries.front().chunking) * (1 + 1e-13), plan.expected_work)
          << risk->text() << " " << g << " " << work << " " << startup << " " << plan.chunks;
    }
  }
}

// Chunks of 1 and 0.1: half of the workers are gone at once, nearly all others between the ends of the two.
TEST(BoundOfASlice, KnowsThatTheLastChunkMayBeSmaller) {
  const RiskPtr risk = std::make_shared<EmpiricalRisk>(
      StepLaw{std::vector{0.01, 1.05, 10.0}, std::vector{0.5, 0.4999, 0.0001}}, "durations");
  const Plan plan = group_plan({1, 1.1, 0, risk, 1.0}, {Granularity::Kind::kPerUnit, 1}, greedy_chart);
  EXPECT_NEAR(plan.expected_work, 0.50001, 1e-12);
  EXPECT_GE(SliceObjective(1, 1.1, 0, *risk, greedy_chart).upper_bound(plan.coteries.front().chunking),
            plan.expected_work);
}

TEST(BoundOfASlice, HoldsForAMillionWorkers) {
  for (const double slice : {0.99999, 1.000001, 30.0})
    for (const std::size_t n : {1, 2, 3}) {
      const RiskPtr risk = slice > 2 ? make_parametric_risk(Expression::parse("exponential")) : make_linear_risk();
      SliceObjective objective(1'000'000, slice, 1e-6, *risk, cyclic_chart);
      EXPECT_GE(objective.upper_bound(n, n) * (1 + 1e-13), objective.expected(n)) << slice << " " << n;
    }
}

}  // namespace
}  // namespace coterie::heuristics
