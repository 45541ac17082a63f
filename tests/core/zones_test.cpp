#include "core/zones.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"
#include "tests/hand_made_schedule.hpp"
#include "tests/sim/dice.hpp"

namespace coterie {
namespace {

using sim::Dice;

/// Each worker runs some tasks of one to three pieces, also twice; some lists are shared.
Schedule schedule_of_copies(Dice& dice, std::size_t workers, std::size_t pieces) {
  std::vector<double> boundaries = {0};
  std::vector<double> sizes;
  for (std::size_t i = 0; i < pieces; ++i) {
    sizes.push_back(dice.real(0.05, 0.4));
    boundaries.push_back(boundaries.back() + sizes.back());
  }
  HandMadeLists lists;
  for (std::size_t w = 0; w < workers; ++w) {
    if (w > 0 && dice.whole(0, 2) == 0) {
      lists.push_back(lists[dice.whole(0, w - 1)]);
      continue;
    }
    std::vector<Task> tasks;
    for (std::size_t k = dice.whole(0, 4); k > 0; --k) {
      const std::size_t first = dice.whole(0, pieces - 1);
      const std::size_t count = dice.whole(1, std::min<std::size_t>(3, pieces - first));
      tasks.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
    }
    lists.push_back(hand_made_list(tasks, sizes, 0.01));
  }
  return hand_made_schedule(boundaries, lists);
}

/// Steps, with and without an open tail.
RiskPtr steps_at_random(Dice& dice) {
  std::vector<double> times;
  std::vector<double> weights;
  double left = 1;
  for (std::size_t n = dice.whole(1, 3); n > 0; --n) {
    times.push_back((times.empty() ? 0 : times.back()) + 0.25 * static_cast<double>(dice.whole(1, 3)));
    weights.push_back(n == 1 && dice.coin() ? left : left * dice.real(0.2, 0.7));
    left -= weights.back();
  }
  return std::make_shared<EmpiricalRisk>(StepLaw{std::move(times), std::move(weights)}, "steps");
}

double power(double base, double exponent) { return exponent == 0 ? 1 : std::pow(base, exponent); }

/// By all cases: the survival to which zones and workers of their own fall matters only by the steps of all risks
/// between which it lies.
double by_enumeration(const Schedule& schedule, const std::vector<RiskPtr>& risks, const Zones& zones) {
  const std::size_t workers = schedule.workers();
  std::vector<double> levels = {0, 1};
  for (const RiskPtr& risk : risks)
    for (const double time : risk->breaks()) levels.push_back(risk->survival(time * (1 + 1e-9)));
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  const std::size_t cells = levels.size() - 1;
  std::vector<std::size_t> cell(zones.count + workers, 0);
  double expected = 0;
  while (true) {
    double probability = 1;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const double part = i < zones.count ? zones.common : 1 - zones.common;
      const double below = levels[cell[i]] == 0 ? 0 : power(levels[cell[i]], part);
      probability *= power(levels[cell[i] + 1], part) - below;
    }
    std::vector<double> lives;
    for (std::size_t w = 0; w < workers; ++w) {
      const std::size_t at = std::max(cell[zones.of(w, workers)], cell[zones.count + w]);
      lives.push_back(risks[w]->quantile(1 - (levels[at] + levels[at + 1]) / 2));
    }
    if (probability > 0) expected += probability * completed_work(schedule, lives);
    std::size_t digit = 0;
    while (digit < cell.size() && ++cell[digit] == cells) cell[digit++] = 0;
    if (digit == cell.size()) return expected;
  }
}

// One piece on two workers of one zone, the later copy done with s_2 < s_1: lost by the zone before the first, between
// both, or by their own parts.
TEST(Zones, LoseBothCopiesOfAPieceByTheFormulaForTwo) {
  TaskLists lists;
  for (const double finish : {0.36, 0.75}) {
    lists.add({0, 1});
    lists.close(std::vector{finish});
  }
  const Schedule schedule({0, 1}, std::move(lists));
  const std::vector<RiskPtr> risk = {make_linear_risk()};
  const double lost_by_zone = (1 - 0.8) + (0.8 - 0.5) * (1 - 0.8) + 0.5 * (1 - 0.8) * (1 - 0.5);

  EXPECT_NEAR(expected_work(schedule, risk, {1, 0.5}), 1 - lost_by_zone, 1e-15);
  EXPECT_NEAR(expected_work(schedule, risk, {1, 1}), 0.64, 1e-15);  // all go together
  EXPECT_NEAR(expected_work(schedule, risk, {1, 0}), 1 - 0.36 * 0.75, 1e-15);
}

TEST(Zones, ThatBindNobodyChangeNoBit) {
  Dice dice("zones that bind nobody");
  for (int i = 0; i < 50; ++i) {
    const std::size_t workers = dice.whole(1, 6);
    const Schedule schedule = schedule_of_copies(dice, workers, 5);
    std::vector<RiskPtr> risks = {make_linear_risk(dice.real(0.3, 1))};
    if (dice.coin())
      while (risks.size() < workers) risks.push_back(make_linear_risk(dice.real(0.3, 1)));
    const double independent = expected_work(schedule, risks);
    EXPECT_EQ(expected_work(schedule, risks, {1, 0}), independent);
    EXPECT_EQ(expected_work(schedule, risks, {workers, 0.7}), independent);
    EXPECT_EQ(expected_work(schedule, risks, {workers + 3, 1}), independent);
  }
}

TEST(Zones, AreExactOnStepsOfLikeAndUnlikeWorkersByEnumeration) {
  Dice dice("zones by enumeration");
  std::size_t below = 0;
  for (int i = 0; i < 100; ++i) {
    const bool alike = dice.coin();
    const std::size_t workers = dice.whole(2, alike ? 4 : 3);
    const Zones zones{dice.whole(1, workers - 1), i % 5 == 0 ? 1.0 : dice.real(0, 1)};
    const Schedule schedule = schedule_of_copies(dice, workers, 4);
    std::vector<RiskPtr> risks(workers, steps_at_random(dice));
    for (RiskPtr& risk : risks)
      if (!alike) risk = steps_at_random(dice);
    const double expected = by_enumeration(schedule, risks, zones);
    EXPECT_NEAR(expected_work(schedule, risks, zones), expected, 1e-12) << i;
    if (alike) {
      EXPECT_EQ(expected_work(schedule, std::span(risks).first(1), zones), expected_work(schedule, risks, zones));
    }
    below += expected < expected_work(schedule, risks) - 1e-6;
  }
  EXPECT_GT(below, 20u);  // or common parts did not matter
}

// The marginal law of a worker is its own whatever the zones, and common parts never help copies.
TEST(Zones, NeverExpectMoreThanIndependentWorkersAndTheSameWithoutCopies) {
  Dice dice("zones against independence");
  for (int i = 0; i < 200; ++i) {
    const std::size_t workers = dice.whole(2, 12);
    const Schedule schedule = schedule_of_copies(dice, workers, 8);
    std::vector<RiskPtr> risks;
    for (std::size_t w = 0; w < workers; ++w) {
      const RiskPtr law = dice.coin() ? make_linear_risk(dice.real(0.2, 1.5)) : steps_at_random(dice);
      risks.push_back(law);
    }
    const double before = expected_work(schedule, risks);
    const std::size_t zones = dice.whole(1, workers - 1);
    for (const double common : {1e-300, 0.2, 0.5, 0.9, 1 - 1e-16, 1.0}) {
      const double expected = expected_work(schedule, risks, {zones, common});
      EXPECT_LE(expected, before * (1 + 1e-14)) << common;
      if (common == 1e-300) {
        EXPECT_NEAR(expected, before, 1e-14 * (1 + before));
      }
    }
    TaskLists alone;
    for (std::size_t w = 0; w < workers; ++w) {
      alone.add({static_cast<std::uint32_t>(w), 1});
      alone.close(std::vector{dice.real(0, 1)});
    }
    std::vector<double> boundaries;
    for (std::size_t w = 0; w <= workers; ++w) boundaries.push_back(static_cast<double>(w));
    const Schedule apart(boundaries, std::move(alone));
    EXPECT_NEAR(expected_work(apart, risks, {zones, 0.6}), expected_work(apart, risks), 1e-13);
  }
}

// All of a million workers run one piece: within a zone 1000 of the same fate but for their own parts.
TEST(Zones, OfAMillionWorkersAreCountedByWhatIsAlike) {
  constexpr std::size_t kWorkers = 1'000'000;
  constexpr std::size_t kZones = 1000;
  TaskLists lists;
  lists.add({0, 1});
  lists.close(std::vector{0.999999});
  const Schedule schedule({0, 1}, std::move(lists), std::vector<std::uint32_t>(kWorkers, 0));
  const double survival = 1e-6;
  const double one_zone = 1 - std::sqrt(survival) * (1 - std::pow(1 - std::sqrt(survival), 1000.0));

  const double expected = expected_work(schedule, std::vector{make_linear_risk()}, {kZones, 0.5});

  EXPECT_NEAR(expected, 1 - std::pow(one_zone, 1000.0), 1e-7);  // 1 - 0.999999 has ten digits
}

TEST(Zones, HoldAsManyWorkersEachAsTheyCan) {
  for (const std::size_t workers : {5, 12, 1000})
    for (std::size_t zones = 1; zones < workers && zones < 40; ++zones) {
      std::vector<std::size_t> size(zones, 0);
      for (std::size_t w = 0; w < workers; ++w) {
        ASSERT_LT(Zones({zones, 1}).of(w, workers), zones);
        ++size[Zones({zones, 1}).of(w, workers)];
      }
      EXPECT_LE(*std::max_element(size.begin(), size.end()), *std::min_element(size.begin(), size.end()) + 1);
      EXPECT_GE(*std::min_element(size.begin(), size.end()), workers / zones);
    }
}

}  // namespace
}  // namespace coterie
