#include "sim/fleet/fleet_lives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"

namespace coterie::sim {
namespace {

using heuristics::Spells;

const StreamKey kKey = StreamKey::derive(7, 7, Use::kInterruption);

RiskPtr law(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

std::shared_ptr<Fleet> fleet_of(std::size_t count, RiskPtr life, RiskPtr down, Zones zones) {
  auto fleet = std::make_shared<Fleet>();
  fleet->groups.emplace_back();
  fleet->groups[0].count = count;
  fleet->groups[0].life = std::move(life);
  fleet->groups[0].down = std::move(down);
  fleet->groups[0].zones = zones;
  return fleet;
}

/// The greatest difference of a sample from its law, between and at jumps; `shift`: it may be this much earlier or
/// later.
double distance(std::vector<double> sample, const Risk& risk, double shift = 0) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double greatest = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double before = risk.probability((sample[i] - shift) * (1 - 1e-9));
    const double after = 1 - risk.survival((sample[i] + shift) * (1 + 1e-9));
    greatest = std::max({greatest, static_cast<double>(i) / n - after, before - static_cast<double>(i + 1) / n});
  }
  return greatest;
}

/// By Dvoretzky, Kiefer, Wolfowitz and Massart: exceeded by chance with probability 1e-9.
double allowed(std::size_t n) { return std::sqrt(std::log(2 / 1e-9) / 2 / static_cast<double>(n)); }

TEST(FleetLives, ZonesLeaveTheLawOfMachinesThatAreReplacedWhateverTheirAge) {
  for (const char* text : {"exponential(rate=1)", "linear(kappa=0.5)", "weibull(shape=0.7, scale=1)",
                           "weibull(shape=3, scale=1)", "lognormal(median=1, sigma=0.5)"})
    for (const double common : {0.3, 1.0}) {
      SCOPED_TRACE(text);
      const RiskPtr life = law(text);
      auto fleet = fleet_of(3, life, law("exponential(rate=2)"), {1, common});
      fleet->groups[0].first = aged(life, 0.5);
      const FleetLives lives(fleet);
      std::vector<double> first, later;
      Spells spells;
      for (std::uint64_t i = 0; i < 4'000; ++i) {
        lives.draw_until(60, kKey, i, spells);
        // One machine an instance, since the others depend on it; its later spells begin when these have any age.
        const auto of = spells.of(i % 3);
        first.push_back(of[0].end);
        for (std::size_t k = 1; k < 4; ++k) later.push_back(of[k].end - of[k].begin);
      }

      EXPECT_LT(distance(first, *fleet->groups[0].first), allowed(first.size()));
      EXPECT_LT(distance(later, *life), allowed(later.size()));
    }
}

TEST(FleetLives, ZonesMoveRecordedLivesByLessThanTheGapBetweenThem) {
  std::vector<double> durations;
  for (int i = 1; i <= 40; ++i) durations.push_back(0.05 * i);
  const auto life = std::make_shared<EmpiricalRisk>(durations, "recorded");
  const FleetLives lives(fleet_of(4, life, law("exponential(rate=2)"), {2, 0.5}));
  std::vector<double> later;
  Spells spells;
  double sum = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    lives.draw_until(20, kKey, i, spells);
    const auto of = spells.of(i % 4);
    later.push_back(of[1].end - of[1].begin);
    sum += later.back();
  }

  EXPECT_LT(distance(later, *life, 0.05), allowed(later.size()));
  EXPECT_NEAR(sum / 10'000, 1.025, 6 * 0.577 / 100);  // the mean is kept
}

/// The share of instances in which the spell of machine a that holds `time` ends together with one of machine b.
double together(const FleetLives& lives, std::size_t a, std::size_t b, double time, std::uint64_t instances) {
  std::size_t count = 0, up = 0;
  Spells spells;
  for (std::uint64_t i = 0; i < instances; ++i) {
    lives.draw_until(60, kKey, i, spells);
    const auto of_a = spells.of(a), of_b = spells.of(b);
    const auto at =
        std::find_if(of_a.begin(), of_a.end(), [&](const auto& one) { return one.begin <= time && time < one.end; });
    if (at == of_a.end()) continue;
    ++up;
    count += std::any_of(of_b.begin(), of_b.end(), [&](const auto& one) { return one.end == at->end; });
  }
  return static_cast<double>(count) / static_cast<double>(up);
}

TEST(FleetLives, ZonesInterruptMachinesTogetherAsOftenAsTheirCommonPartSays) {
  const double common = 0.6;
  const RiskPtr life = law("exponential(rate=1)");
  const std::uint64_t n = 20'000;
  const FleetLives gone(fleet_of(4, life, nullptr, {2, common}));
  const FleetLives replaced(fleet_of(4, life, law("exponential(rate=1)"), {2, common}));
  const auto error = [&](double share, double of) { return 6 * std::sqrt(share * (1 - share) / of); };  // 2e-9

  // Machines that are gone for good: before either of two is interrupted by itself, at rate 1 - c each, both are at
  // rate c.
  const double once = common / (2 - common);
  EXPECT_NEAR(together(gone, 0, 1, 0, n), once, error(once, static_cast<double>(n)));
  EXPECT_EQ(together(gone, 1, 2, 0, n), 0);
  // Machines that are replaced, in the long run: with rates as above, and 1 for each return, both are up for 2 / (4 -
  // c) of the time that the first one is. From then on its spell ends with one of the other with probability 2 c / (3 -
  // c), otherwise, as the other has to come back first, with half of that.
  const double later = common * (6 - common) / (4 - common) / (3 - common);
  EXPECT_NEAR(together(replaced, 0, 1, 30, n), later, error(later, static_cast<double>(n) / 2.2));
  EXPECT_EQ(together(replaced, 1, 2, 30, n), 0);
}

TEST(FleetLives, MachinesOfOneAgeGoTogetherWhetherTheyAreReplacedOrNot) {
  const std::uint64_t n = 20'000;
  const Zones zones{1, 0.5};
  for (const char* text : {"weibull(shape=0.7, scale=1)", "linear(kappa=0.5)"}) {
    SCOPED_TRACE(text);
    const FleetLives gone(fleet_of(3, law(text), nullptr, zones));
    const FleetLives replaced(fleet_of(3, law(text), law("exponential(rate=1)"), zones));
    const auto all_first = [&](const FleetLives& lives) {
      std::size_t count = 0;
      Spells spells;
      for (std::uint64_t i = 0; i < n; ++i) {
        lives.draw_until(20, kKey, i, spells);
        const auto first = [&](std::size_t w) { return spells.of(w)[0].end; };
        count += first(0) == first(1) && first(1) == first(2);
      }
      return static_cast<double>(count) / static_cast<double>(n);
    };

    // c / (c + 3 (1 - c)), by hazards whatever they are.
    EXPECT_NEAR(all_first(gone), 0.25, 6 * std::sqrt(0.1875 / static_cast<double>(n)));
    EXPECT_NEAR(all_first(replaced), 0.25, 6 * std::sqrt(0.1875 / static_cast<double>(n)));
  }
}

TEST(FleetLives, LongerRunsAndMoreMachinesLeaveTheFirstOnesAsTheyAre) {
  const RiskPtr life = law("weibull(shape=0.7, scale=1)"), down = law("exponential(rate=5)");
  const FleetLives few(fleet_of(2, life, down, {1, 0.5})), many(fleet_of(5, life, down, {1, 0.5}));
  Spells a, b;
  few.draw_until(10, kKey, 3, a);
  many.draw_until(50, kKey, 3, b);

  for (std::size_t w = 0; w < 2; ++w) {
    const auto of = a.of(w);
    for (std::size_t k = 0; k + 1 < of.size(); ++k) {
      EXPECT_EQ(of[k].begin, b.of(w)[k].begin);
      EXPECT_EQ(of[k].end, b.of(w)[k].end);
    }
  }
}

}  // namespace
}  // namespace coterie::sim
