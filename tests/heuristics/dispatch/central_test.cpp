#include "heuristics/dispatch/central.hpp"

#include <gtest/gtest.h>

#include "heuristics/dispatch/dispatch_run.hpp"
#include "tests/infinity.hpp"

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

TEST(Central, BeginsNothingThatIsNotWorthIt) {
  const RiskPtr risk = make_linear_risk(1);
  const ChunksByAge chunks(std::span(&risk, 1), 0.1);
  EXPECT_EQ(chunks(0, 0.95), 0);
  EXPECT_GT(chunks(0, 0.5), 0);
  EXPECT_EQ(ChunksByAge(std::span(&risk, 1), 0)(0, 0.5), kInfinity) << "without start-up cost any chunk is";
}

}  // namespace
}  // namespace coterie::heuristics
