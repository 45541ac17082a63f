#include "heuristics/worksharing/initiation_models.hpp"

#include <gtest/gtest.h>

#include "heuristics/chunks/one_worker.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

// The optimum of each model lies where the other one's says, for any risk, work, count and start-up cost.
TEST(InitiationModels, HoldTheOptimumOfOneWorker) {
  for (const char* text : {"linear(kappa=1)", "exponential(rate=2)", "weibull(shape=0.6, scale=0.4)"})
    for (const double work : {0.05, 0.4, 3.0})
      for (const std::int64_t n : {1, 2, 7})
        for (const double startup : {0.001, 0.03, 0.2, 2.0}) {
          const RiskPtr law = risk(text);
          const OneWorkerSolution free = optimal_chunks({work, n, 0, law});
          const OneWorkerSolution charged = optimal_chunks({work, n, startup, law});
          const OtherModel of_charged =
              charged_model(free.expected_work, free.expected_work, free.chunk_sizes.size(), startup);
          ASSERT_GE(charged.expected_work, of_charged.at_least * (1 - 1e-9)) << text << work << " " << n;
          ASSERT_LE(charged.expected_work, of_charged.at_most * (1 + 1e-9)) << text << work << " " << n;
          const OtherModel of_free =
              free_model(charged.expected_work, static_cast<std::size_t>(n), startup, survival_integral(work, *law));
          ASSERT_GE(free.expected_work, of_free.at_least * (1 - 1e-9)) << text << work << " " << n;
          ASSERT_LE(free.expected_work, of_free.at_most * (1 + 1e-9)) << text << work << " " << n;
        }
}

// Errata B6: no interruption before 1 and certain one after it, W = 2, one chunk each: E^f = 2, E^c = 2 - 2 eps.
TEST(InitiationModels, CountTheChunksOfAllWorkers) {
  EXPECT_DOUBLE_EQ(charged_model(2, 2, 2, 0.1).at_least, 1.8);
  EXPECT_DOUBLE_EQ(free_model(1.8, 2, 0.1, 10).at_most, 2);
}

TEST(InitiationModels, SayNoMoreThanIsProven) {
  EXPECT_EQ(charged_model(0.5, 0.7, 4, 0.2).at_least, 0);
  EXPECT_EQ(charged_model(0.5, 0.7, 4, 0.2).at_most, 0.7);
  EXPECT_EQ(free_model(0.3, std::nullopt, 0.1, 0.9).at_most, 0.9);
  EXPECT_EQ(free_model(0.3, 100, 0.1, 0.9).at_most, 0.9);
  EXPECT_EQ(free_model(0.3, 1, 0.1, 0.9).at_least, 0.3);
}

}  // namespace
}  // namespace coterie::heuristics
