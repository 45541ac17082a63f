#include "heuristics/worksharing/zone_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "heuristics/worksharing/registry.hpp"
#include "tests/heuristics/worksharing/random_worksharing.hpp"

namespace coterie::heuristics {
namespace {

using Rule = ZonePlacement::Rule;

StreamKey a_deal(std::uint64_t number) { return StreamKey::derive(number, 0, Use::kDeal); }

/// A list a worker: that of k is piece k, which tells where it went.
Plan numbered_plan(std::size_t workers) {
  TaskLists lists;
  std::vector<double> boundaries = {0};
  for (std::size_t w = 0; w < workers; ++w) {
    lists.add({static_cast<std::uint32_t>(w), 1});
    lists.close(std::vector{0.5});
    boundaries.push_back(static_cast<double>(w + 1));
  }
  Plan plan;
  plan.schedule = std::make_shared<const Schedule>(boundaries, std::move(lists));
  return plan;
}

/// By list, the zone of its worker.
std::vector<std::size_t> zones_of_lists(const Schedule& schedule, const Zones& zones) {
  std::vector<std::size_t> zone(schedule.workers());
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    zone[schedule.tasks(w).tasks.front().first_piece] = zones.of(w, schedule.workers());
  return zone;
}

WorksharingProblem problem_of(std::size_t workers, double work, double startup) {
  return {workers, work, startup, make_linear_risk(), 1, 0};
}

TEST(ZonePlacement, PutsNeighboursInOneZoneOrInDifferentOnes) {
  for (const std::size_t workers : {4, 7, 24})
    for (std::size_t count = 2; count < std::min<std::size_t>(workers, 6); ++count) {
      const Zones zones{count, 0.5};
      const auto placed = [&](Rule rule) {
        return zones_of_lists(
            *ZonePlacement(problem_of(workers, 1, 0.1), zones, rule, a_deal(1)).placed(numbered_plan(workers)).schedule,
            zones);
      };
      const auto packed = placed(Rule::kPacked);
      EXPECT_TRUE(std::is_sorted(packed.begin(), packed.end()));
      const auto spread = placed(Rule::kSpread);
      for (std::size_t k = 0; k + count <= workers / count * count; k += count)
        EXPECT_EQ(std::set(spread.begin() + static_cast<std::ptrdiff_t>(k),
                           spread.begin() + static_cast<std::ptrdiff_t>(k + count))
                      .size(),
                  count);
      auto blind = placed(Rule::kBlind);
      std::sort(blind.begin(), blind.end());
      EXPECT_EQ(blind, packed);  // each zone has its workers
    }
}

// 24 workers: the same deal twice by chance once in 24! pairs.
TEST(ZonePlacement, DealsBlindlyByTheKeyAlone) {
  const auto dealt = [](std::uint64_t number) {
    const ZonePlacement placement(problem_of(24, 1, 0.1), {4, 0.5}, Rule::kBlind, a_deal(number));
    const Plan plan = placement.placed(numbered_plan(24));
    std::vector<std::uint32_t> pieces;
    for (std::size_t w = 0; w < 24; ++w) pieces.push_back(plan.schedule->tasks(w).tasks.front().first_piece);
    return pieces;
  };
  EXPECT_EQ(dealt(1), dealt(1));
  EXPECT_NE(dealt(1), dealt(2));
}

TEST(ZonePlacement, TellsTheExactExpectationOfThePlacedPlan) {
  sim::Dice dice("placed plans");
  RandomWorksharing cases("placed plans");
  for (int i = 0; i < 20; ++i) {
    const RandomCase one = i % 2 == 0 ? cases.alike() : cases.unlike();
    if (one.problem.workers < 3) continue;
    const Zones zones{dice.whole(1, one.problem.workers - 1), dice.real(0.1, 1)};
    const Plan plan = worksharing_strategy("greedy").build(one.problem, one.granularity);
    std::vector<double> by_rule;
    for (const Rule rule : {Rule::kKnown, Rule::kPacked, Rule::kSpread, Rule::kBlind}) {
      const ZonePlacement placement(one.problem, zones, rule, a_deal(7));
      const Plan placed = placement.placed(plan);
      EXPECT_EQ(placed.expected_work, expected_work(*placed.schedule, one.problem.risks(), zones)) << one.text;
      EXPECT_EQ(placed.expected_work, placement.expected_work(plan)) << one.text;
      by_rule.push_back(placed.expected_work);
    }
    EXPECT_GE(by_rule[0], *std::max_element(by_rule.begin() + 1, by_rule.end())) << one.text;
  }
}

// Coteries of six in four zones: two pairs of each share a zone, and which they are matters.
TEST(ZonePlacement, ExchangesListsBetweenZones) {
  WorksharingProblem problem = problem_of(12, 3, 0.02);
  problem.coteries = 2;
  const Plan plan = worksharing_strategy("greedy").build(problem, {Granularity::Kind::kPerSlice, 6});
  std::size_t above = 0;
  std::vector<double> expected;
  for (std::uint64_t deal = 0; deal < 6; ++deal) {
    const auto placed = [&](Rule rule) {
      return ZonePlacement(problem, {4, 0.9}, rule, a_deal(deal)).placed(plan).expected_work;
    };
    expected.push_back(placed(Rule::kKnown));
    above += expected.back() > std::max({placed(Rule::kPacked), placed(Rule::kSpread), placed(Rule::kBlind)});
  }
  EXPECT_GT(above, 0u);
  const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
  EXPECT_GT(*least, 0.999 * *most) << "whatever the deal";
}

// Whoever knows the zones never expects less than who does not, wherever his lists fall; where copies matter, more.
TEST(ZonePlacement, BestThatKnowsZonesIsNeverBelowBestThatDoesNot) {
  sim::Dice dice("known zones");
  RandomWorksharing cases("known zones");
  std::size_t above = 0;
  std::size_t above_all_placements = 0;
  for (int i = 0; i < 10; ++i) {
    const RandomCase one = i % 3 == 2 ? cases.unlike() : cases.alike();
    if (one.problem.workers < 3) continue;
    const Zones zones{dice.whole(1, std::min<std::size_t>(6, one.problem.workers - 1)), dice.real(0.2, 1)};
    const auto aware = [&](const char* strategy) {
      const auto placement = std::make_shared<const ZonePlacement>(one.problem, zones, Rule::kKnown, a_deal(3));
      return PlanCache(one.problem, one.granularity, nullptr, placement)
          .placed(worksharing_strategy(strategy).builder)
          .expected_work;
    };
    const Plan unaware = worksharing_strategy("best").build(one.problem, one.granularity);
    const auto expected = [&](Rule rule) {
      return ZonePlacement(one.problem, zones, rule, a_deal(3)).expected_work(unaware);
    };
    const double known = aware("best");
    const double blind = expected(Rule::kBlind);
    const double others = std::max(expected(Rule::kSpread), expected(Rule::kPacked));
    EXPECT_GE(known, blind) << one.text;
    EXPECT_GE(known, others) << one.text;
    for (const char* other : {"no-replication", "refined", "greedy", "snake", "cyclic-replication", "brute"})
      EXPECT_GE(known, aware(other) * (1 - 1e-12)) << other << " of " << one.text;
    above += known > blind * (1 + 1e-6);
    above_all_placements += known > std::max(blind, others) * (1 + 1e-6);
  }
  EXPECT_GT(above, 2u);
  EXPECT_GT(above_all_placements, 0u);  // it also plans otherwise
}

// Refined's chart is the better one for independent workers, and the worse one in one zone.
TEST(ZonePlacement, BestComparesTheGroupSchedulesInTheZones) {
  const WorksharingProblem problem = problem_of(5, 1, 0.02);
  const auto placement = std::make_shared<const ZonePlacement>(problem, Zones{1, 0.1}, Rule::kKnown, a_deal(1));
  PlanCache cache(problem, {}, nullptr, placement);
  const auto expected = [&](const char* name) {
    return cache.placed(worksharing_strategy(name).builder).expected_work;
  };
  EXPECT_GT(expected("greedy"), expected("refined"));
  EXPECT_GE(expected("best"), expected("greedy"));
}

// Copies in different zones are independent: coteries of one worker a zone expect what they expect without zones.
TEST(ZonePlacement, SpreadCoteriesNoLargerThanTheZonesLoseNothing) {
  const WorksharingProblem problem = problem_of(24, 8, 0.01);
  const Plan plan = worksharing_strategy("greedy").build(problem, {});
  const auto expected = [&](Rule rule, double common) {
    return ZonePlacement(problem, {4, common}, rule, a_deal(1)).expected_work(plan);
  };
  for (const Coterie& coterie : plan.coteries) ASSERT_LE(coterie.workers, 4u);
  EXPECT_NEAR(expected(Rule::kSpread, 1), plan.expected_work, 1e-9 * plan.expected_work);
  EXPECT_LT(expected(Rule::kPacked, 1), 0.95 * plan.expected_work);
  EXPECT_LT(expected(Rule::kPacked, 1), expected(Rule::kPacked, 0.5));
}

}  // namespace
}  // namespace coterie::heuristics
