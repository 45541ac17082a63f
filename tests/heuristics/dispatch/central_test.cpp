#include "heuristics/dispatch/central.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/cut_risk.hpp"
#include "core/infinity.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "tests/heuristics/dispatch/plain_central.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kStartup = 1.0 / 1024;
std::vector<DispatchEvent> log_of(const CentralParameters& parameters, std::vector<double> lives, double work,
                                  DispatchOutcome& outcome) {
  const RiskPtr risk = make_linear_risk(0.1);
  Central central(std::make_shared<const ChunksByAge>(std::span(&risk, 1), kStartup), parameters);
  DispatchRun run("central", lives.size(), work, kStartup, std::span(&risk, 1), {0, kInfinity, 1, true});
  std::vector<DispatchEvent> log;
  outcome = run(central, lives, &log);
  return log;
}

TEST(Central, ChunksShrinkWithWhatIsLeft) {
  DispatchOutcome outcome;
  const auto log = log_of({2, 0.01}, {9, 9}, 0.4, outcome);
  EXPECT_DOUBLE_EQ(log[0].work, 0.4 / 4);
  EXPECT_DOUBLE_EQ(log[1].work, 0.3 / 4);
  EXPECT_EQ(outcome.completed, 0.4);
  double least = 1;
  for (const DispatchEvent& event : log)
    if (event.kind == DispatchEvent::Kind::kBegins) least = std::min(least, event.work);
  EXPECT_GE(least, 0.01);
}

TEST(Central, WhatIsLostGoesBackAndTheLastChunksAreCopied) {
  DispatchOutcome outcome;
  const auto log = log_of({1, 0.125}, {9, 0.01, 9}, 0.375, outcome);
  std::vector<std::uint32_t> workers;
  for (const DispatchEvent& event : log)
    if (event.kind == DispatchEvent::Kind::kBegins) workers.push_back(event.worker);
  EXPECT_EQ(outcome.completed, 0.375);
  EXPECT_EQ(outcome.makespan, 2 * (0.125 + kStartup));
  // All of it is handed out at once; one chunk is lost, given out again, and copied by the worker without work.
  EXPECT_EQ(workers, (std::vector<std::uint32_t>{0, 1, 2, 0, 2}));
}

/// The later news comes, the fewer of those that are not known to be lost are expected to live.
TEST(Central, SharesAmongThoseThatAreExpectedToLive) {
  const RiskPtr risk = make_linear_risk(1);
  const double startup = 0.05;  // the first chunk that is best alone is no limit
  Central central(std::make_shared<const ChunksByAge>(std::span(&risk, 1), startup), {2, kStartup});
  for (const double latency : {0.0, 0.0625}) {
    DispatchRun run("central", 2, 0.5, startup, std::span(&risk, 1), {latency, latency, 1, true});
    std::vector<DispatchEvent> log;
    run(central, std::vector<double>{9, 9}, &log);
    std::vector<DispatchEvent> given;
    for (const DispatchEvent& event : log)
      if (event.kind == DispatchEvent::Kind::kGiven) given.push_back(event);
    ASSERT_GE(given.size(), 3u);
    const double now = given[2].time;
    ASSERT_GT(now, latency);
    const double alive = 2 * (1 - now) / (1 - (now - latency));
    EXPECT_NEAR(given[2].work, (0.5 - given[0].work - given[1].work) / (2 * alive), 1e-9) << latency;
  }
}

/// Where a chunk is a round trip on its way, it begins that much nearer to the horizon.
TEST(Central, HandsOutNothingThatCannotEndBeforeTheHorizon) {
  sim::Dice dice("central and the horizon");
  std::size_t begun = 0;
  for (int round = 0; round < 100; ++round) {
    const double horizon = 1;
    const RiskPtr risk = make_linear_risk(dice.coin() ? 0.2 : 2);
    const RiskPtr cut = cut_at(risk, horizon);
    const double startup = dice.coin() ? 0.02 : 0;
    const Listening listening{dice.real(0, 0.3), dice.coin() ? kInfinity : 0, dice.coin() ? 1u : 0u, dice.coin(),
                              horizon};
    Central central(std::make_shared<const ChunksByAge>(std::span(&cut, 1), startup), {2, 0.01});
    DispatchRun run("central", 4, dice.real(0.5, 4), startup, std::span(&cut, 1), listening);
    std::vector<double> lives(4);
    for (double& life : lives) life = std::min(horizon, dice.real(0.1, 2));
    std::vector<DispatchEvent> log;
    run(central, lives, &log);
    for (const DispatchEvent& event : log) {
      if (event.kind != DispatchEvent::Kind::kBegins) continue;
      ++begun;
      ASSERT_LE(event.time + startup + event.work, horizon + 1e-9) << "round " << round;
    }
  }
  EXPECT_GT(begun, 1000u);
}

/// Two chunks of which nothing is ever heard, but who is interrupted after them, and up again, is.
TEST(Central, DoesNotCopyWhatEndedBeforeItsWorkerWasInterrupted) {
  const RiskPtr risk = make_linear_risk(0.1);
  Central central(std::make_shared<const ChunksByAge>(std::span(&risk, 1), 0), {1, 0.125});
  DispatchRun run("central", 2, 0.375, 0, std::span(&risk, 1), {kInfinity, 0, 1, true});
  for (const bool returns : {false, true}) {
    Spells spells;
    spells.clear();
    spells.add({0, 0.3});
    if (returns) spells.add({0.4, 9});
    spells.close_worker();
    spells.add({0, 9});
    spells.close_worker();
    const DispatchOutcome outcome = run(central, spells);
    EXPECT_EQ(outcome.completed, 0.375);
    EXPECT_EQ(outcome.machine_time, 0.375) << returns;
  }
}

/// Lives and chunks often end together, and many copies are worth the same: then the first in the list is chosen.
TEST(Central, CopiesWhatAPlainSearchCopies) {
  const std::vector<RiskPtr> laws = {make_linear_risk(0.4),
                                     make_parametric_risk(Expression::parse("exponential(rate=1)")),
                                     make_parametric_risk(Expression::parse("weibull(shape=0.5, scale=1)")),
                                     make_parametric_risk(Expression::parse("weibull(shape=5, scale=0.7)")),
                                     make_parametric_risk(Expression::parse("lognormal(median=0.5, sigma=1)"))};
  sim::Dice dice("central and a plain search");
  std::size_t copies = 0;
  std::size_t ties = 0;
  std::size_t silences = 0;
  for (int round = 0; round < 400; ++round) {
    const auto workers = dice.whole(2, round % 20 == 0 ? 150 : 12);
    const auto law = [&] { return laws[dice.whole(0, laws.size() - 1)]; };
    std::vector<RiskPtr> risks = {law()};
    if (dice.whole(0, 3) == 0) {
      risks.resize(workers, risks.front());
      risks.back() = law();
      if (dice.coin())
        for (RiskPtr& risk : risks) risk = law();
    }
    const double horizon = dice.coin() ? kInfinity : 1.25;
    for (RiskPtr& risk : risks) risk = std::isfinite(horizon) ? cut_at(risk, horizon) : risk;
    const double startup = dice.coin() ? 1.0 / 64 : 0;
    const double latency = dice.coin() ? 0 : dice.real(0, 0.2);
    const Listening listening{latency, dice.coin() ? kInfinity : latency, dice.coin() ? 1u : 0u, dice.coin(), horizon};
    PlainCentral central(Central(std::make_shared<const ChunksByAge>(risks, startup),
                                 {dice.coin() ? 1.0 : 2.0, dice.coin() ? 1.0 / 16 : 0.03}));
    const double work = dice.real(0.05, 0.5) * static_cast<double>(workers);
    DispatchRun run("central", workers, work, startup, risks, listening);
    std::vector<double> lives(workers);
    Spells spells;
    for (int instance = 0; instance < 2; ++instance) {
      for (double& life : lives)
        life = std::min(horizon, dice.coin() ? dice.real(0, 2) : static_cast<double>(dice.whole(1, 8)) / 8);
      spells.clear();
      for (const double life : lives) {
        spells.add({0, life});
        if (dice.coin()) spells.add({std::min(horizon, life + 0.125), std::min(horizon, 4.0)});
        spells.close_worker();
      }
      dice.whole(0, 3) == 0 ? run(central, spells) : run(central, lives);
    }
    ASSERT_EQ(central.others(), 0u) << "round " << round;
    copies += central.copies();
    ties += central.ties();
    silences += central.silences();
  }
  EXPECT_GT(copies, 10'000u);
  EXPECT_GT(ties, 100u);
  EXPECT_GT(silences, 100u);
}

TEST(Central, BeginsNothingThatIsNotWorthIt) {
  const RiskPtr risk = make_linear_risk(1);
  const ChunksByAge chunks(std::span(&risk, 1), 0.1);
  EXPECT_EQ(chunks(0, 0.95), 0);
  EXPECT_GT(chunks(0, 0.5), 0);
  EXPECT_EQ(ChunksByAge(std::span(&risk, 1), 0)(0, 0.5), kInfinity) << "without start-up cost any chunk is";
}

}  // namespace
}  // namespace coterie::heuristics
