#include "heuristics/dispatch/first_chunks.hpp"

#include <gtest/gtest.h>

#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"
#include "heuristics/chunks/one_worker.hpp"

namespace coterie::heuristics {
namespace {

/// Under linear risk what is left at an age is linear again, and Theorem 4 has its first chunk.
TEST(FirstChunks, AreThoseOfTheorem4AtEveryAge) {
  for (const double startup : {0.1, 0.01, 0.001}) {
    const FirstChunks first(*make_linear_risk(1), startup, 0, 1500);
    for (const double age : {0.0, 0.1, 0.37, 0.5, 0.8}) {
      const double rate = 1 / (1 - age);
      const double best = charged_linear_chunks(10, 10'000, startup, rate).chunk_sizes.front();
      EXPECT_NEAR(first(age), best, 0.03 * best + 0.004) << startup << " at " << age;
    }
    EXPECT_EQ(first(1 - startup / 2), 0);
    EXPECT_EQ(first(2), 0);
  }
}

/// A wait between chunks is one more start-up cost, but for the first chunk.
TEST(FirstChunks, WaitBetweenChunks) {
  const RiskPtr risk = make_linear_risk(1);
  const double startup = 0.01;
  for (const double wait : {0.05, 0.2}) {
    const FirstChunks first(*risk, startup, wait, 1500);
    const FirstChunks dear(*risk, startup + wait, 0, 1500);
    double age = 0;
    double value = 0;
    for (double size = first(0); size > 0; size = first(age)) {
      age += startup + size;
      value += size * risk->survival(age);
      age += wait;
      EXPECT_NEAR(first(age), age < 1 ? dear(age - wait) : 0, 0.01) << "what follows a chunk costs both";
    }
    for (double one = 0.01; one < 1; one += 0.01) {
      const double end = startup + one;
      double other = one * risk->survival(end);
      for (double at = end; dear(at) > 0; at += startup + wait + dear(at))
        other += dear(at) * risk->survival(at + startup + wait + dear(at));
      EXPECT_LE(other, value + 1e-3) << "no other first chunk is better";
    }
  }
  EXPECT_NEAR(FirstChunks(*risk, startup, 2, 1500)(0), (1 - startup) / 2, 1.0 / 375)
      << "one chunk, to a step of the grid";
  EXPECT_GT(FirstChunks(*risk, 0, 0.1, 1500)(0), 0.1) << "it may be all that a chunk costs";
}

TEST(FirstChunks, HaveNoLimitOnceAWorkerIsNeverInterrupted) {
  const EmpiricalRisk risk(StepLaw{{0.25, 0.5}, {0.25, 0.25}}, "two of four, the others are still up");
  const FirstChunks first(risk, 0.05, 0, 400);
  EXPECT_LT(first(0.1), 0.5);
  EXPECT_EQ(first(0.5), kInfinity);
  EXPECT_EQ(first(0.49), kInfinity) << "no chunk fits before the last interruption";
  EXPECT_EQ(first(7), kInfinity);
  EXPECT_EQ(FirstChunks(EmpiricalRisk(StepLaw{{0.25, 0.5}, {0.5, 0.5}}, "two"), 0.05, 0, 400)(0.5), 0);
}

TEST(FirstChunks, EndWhereARecordedRiskJumps) {
  const EmpiricalRisk risk(StepLaw{{0.5, 1}, {0.5, 0.5}}, "two");
  const FirstChunks first(risk, 0.05, 0, 400);
  EXPECT_NEAR(first(0), 0.45, 1e-12);
  EXPECT_NEAR(first(0.3), 0.15, 1e-12);
  EXPECT_NEAR(first(0.6), 0.35, 1e-12);
}

}  // namespace
}  // namespace coterie::heuristics
