#include "heuristics/dispatch/first_chunks.hpp"

#include <gtest/gtest.h>

#include "core/empirical_risk.hpp"
#include "heuristics/chunks/one_worker.hpp"

namespace coterie::heuristics {
namespace {

/// Under linear risk what is left at an age is linear again, and Theorem 4 has its first chunk.
TEST(FirstChunks, AreThoseOfTheorem4AtEveryAge) {
  for (const double startup : {0.1, 0.01, 0.001}) {
    const FirstChunks first(*make_linear_risk(1), startup, 1500);
    for (const double age : {0.0, 0.1, 0.37, 0.5, 0.8}) {
      const double rate = 1 / (1 - age);
      const double best = charged_linear_chunks(10, 10'000, startup, rate).chunk_sizes.front();
      EXPECT_NEAR(first(age), best, 0.03 * best + 0.004) << startup << " at " << age;
    }
    EXPECT_EQ(first(1 - startup / 2), 0);
    EXPECT_EQ(first(2), 0);
  }
}

TEST(FirstChunks, EndWhereARecordedRiskJumps) {
  const EmpiricalRisk risk({0.5, 1}, {0.5, 0.5}, "two");
  const FirstChunks first(risk, 0.05, 400);
  EXPECT_NEAR(first(0), 0.45, 1e-12);
  EXPECT_NEAR(first(0.3), 0.15, 1e-12);
  EXPECT_NEAR(first(0.6), 0.35, 1e-12);
}

}  // namespace
}  // namespace coterie::heuristics
