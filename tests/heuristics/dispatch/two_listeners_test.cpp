#include "heuristics/dispatch/two_listeners.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/stream.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"

namespace coterie::heuristics {
namespace {

/// The optima of two workers under linear risk with thirty units of life, found by a programme of its own.
TEST(TwoListeners, AreTheOptimumOfTheGridAndReachIt) {
  const RiskPtr risk = make_linear_risk(1);
  for (const auto& [work, optimum] : {std::pair{0.3, 0.28281}, {0.6, 0.50370}, {0.9, 0.62959}}) {
    const auto table = TwoListeners::solve(*risk, work, 1 / 30.0);
    ASSERT_TRUE(table);
    EXPECT_GE(table->value(), optimum - 6e-6);
    EXPECT_LE(table->value(), optimum * 1.002) << "a finer grid has a little more";

    TwoListenersPolicy policy(std::make_shared<const TwoListeners>(*table));
    DispatchRun run("two", 2, work, 1 / 30.0, std::span(&risk, 1), {0, 0, 1, true});
    const StreamKey key = StreamKey::derive(2013, 2, Use::kInterruption);
    constexpr std::size_t kInstances = 150'000;
    std::vector<double> lives(2);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < kInstances; ++i) {
      worker_uniforms(key, i, lives);
      const double completed = run(policy, lives).completed;
      sum += completed;
      squares += completed * completed;
    }
    const double mean = sum / kInstances;
    const double error = std::sqrt((squares / kInstances - mean * mean) / kInstances);
    EXPECT_LT(std::abs(mean - table->value()), 6 * error) << work << "; false alarm: 2e-9";
  }
}

TEST(TwoListeners, AreNotToldWhereTheGridWouldBeTooLarge) {
  const RiskPtr risk = make_linear_risk(1);
  EXPECT_FALSE(TwoListeners::solve(*risk, 0.6, 0));
  EXPECT_FALSE(TwoListeners::solve(*risk, 1.5, 1e-4));
  EXPECT_FALSE(TwoListeners::solve(*risk, 0.001, 10));
}

}  // namespace
}  // namespace coterie::heuristics
