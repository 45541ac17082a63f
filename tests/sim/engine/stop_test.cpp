#include "sim/engine/stop.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/cancellation.hpp"

namespace coterie::sim {
namespace {

TEST(StopSignals, AreCaughtAndNamedAndForgotten) {
  for (const auto& [number, name] : {std::pair(SIGINT, "SIGINT"), {SIGTERM, "SIGTERM"}}) {
    const StopSignals signals;
    const StopRule rule(std::nullopt);
    EXPECT_FALSE(rule.reached());

    std::raise(number);

    EXPECT_TRUE(rule.reached());
    EXPECT_EQ(rule.reason(), name);
  }
}

TEST(StopSignalsDeathTest, TheSecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        const StopSignals signals;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(StopRule, ReachesItsTimeLimit) {
  const StopSignals signals;
  const StopRule far(1e6);
  const StopRule near(1e-3);

  std::this_thread::sleep_for(std::chrono::milliseconds(2));

  EXPECT_FALSE(far.reached());
  EXPECT_FALSE(StopRule(1e14).reached());
  EXPECT_TRUE(near.reached());
  EXPECT_EQ(near.reason(), "the time limit");
}

TEST(StopRule, IsReachedWhereTheProgramAsks) {
  const StopSignals signals;
  StopRule rule(1e6);

  rule.request();

  EXPECT_TRUE(rule.reached());
  EXPECT_EQ(rule.reason(), "request");
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(StopRule, CancelsWhatDoesNotEndByItselfButNotAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  const StopRule rule(1e-9);
  const CancellationScope scope(rule.cancels());

  EXPECT_TRUE(rule.reached());
  EXPECT_THROW(
      {
        for (;;) cancellation_point();
      },
      Cancelled);
  EXPECT_GE(seconds_since(begin), StopRule::kCancelSeconds);
}

TEST(StopRuleDeathTest, EndsTheProgramByItsLastResortWhereNothingElseDoes) {
  EXPECT_EXIT(
      {
        StopRule rule(1e-9);
        const LastResort outer(rule, [] { std::_Exit(4); });
        const LastResort inner(rule, [] { std::_Exit(5); });
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      testing::ExitedWithCode(5), "");
}

TEST(StopRule, AsksNoLastResortThatIsOver) {
  StopRule rule(1e-9);
  {
    const LastResort last(rule, [] { std::_Exit(5); });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(StopRule::kLastSeconds + 0.1));
  EXPECT_TRUE(rule.cancels());
}

}  // namespace
}  // namespace coterie::sim
