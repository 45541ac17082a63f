#include "heuristics/worksharing/two_worker_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/empirical_risk.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

std::vector<RiskPtr> shape_risks() {
  return {make_linear_risk(1), risk("exponential(rate=1)"), risk("weibull(shape=0.5, scale=1)"),
          std::make_shared<EmpiricalRisk>(std::vector<double>{0.1, 0.25, 0.25, 0.5, 0.75, 1.5}, "durations")};
}

/// Any chunks of [0, 1] on a grid of sixteenths, repeated work included.
TwoWorkerChunks random_chunks(std::mt19937& random) {
  std::uniform_int_distribution<int> count(0, 5);
  std::uniform_int_distribution<int> place(0, 16);
  TwoWorkerChunks chunks;
  for (auto& list : chunks)
    for (int left = count(random); left > 0; --left) {
      const int a = place(random);
      const int b = place(random);
      if (a != b) list.push_back({std::min(a, b) / 16.0, std::max(a, b) / 16.0});
    }
  return chunks;
}

TEST(TwoWorkerShape, LosesNothingFromAnyScheduleUnderAnyRisk) {
  std::mt19937 random(5);
  int improved = 0;
  std::vector<std::array<double, 2>> bounds;
  for (const RiskPtr& law : shape_risks())
    bounds.push_back({mirrored_limit(1, *law), mirrored_limit(1, *law, 0.03125)});
  for (int trial = 0; trial < 400; ++trial) {
    const TwoWorkerChunks given = random_chunks(random);
    for (std::size_t i = 0; i < bounds.size(); ++i)
      for (const double startup : {0.0, 0.03125}) {
        const RiskPtr law = shape_risks()[i];
        const TwoWorkerSolution better = improved_by_theorem_5(given, 1, startup, law);
        const double before = expected_work_of(given, startup, law);
        ASSERT_GE(better.expected_work, before - 1e-12) << trial << " " << law->text();
        ASSERT_NEAR(better.expected_work, expected_work(to_schedule(better), law), 1e-14);
        ASSERT_TRUE(shape_of(better.chunks, 1).holds()) << trial;
        ASSERT_LE(better.expected_work, bounds[i][startup > 0] + 1e-12) << trial << " " << law->text();
        improved += better.expected_work > before + 1e-6;
      }
  }
  EXPECT_GT(improved, 1600);  // of 3200: random chunks are rarely well placed
}

// The definition, piece by piece and pair by pair.
TwoWorkerShape by_definition(const TwoWorkerChunks& chunks) {
  const auto first = [&](std::size_t worker, double at) {
    for (std::size_t k = 0; k < chunks[worker].size(); ++k)
      if (chunks[worker][k].begin < at && at < chunks[worker][k].end) return static_cast<int>(k);
    return -1;
  };
  bool shares = false;
  bool all = true;
  TwoWorkerShape shape{true, true, true};
  for (int i = 0; i < 16; ++i) {
    const int a1 = first(0, (i + 0.5) / 16);
    const int a2 = first(1, (i + 0.5) / 16);
    const bool shared = a1 >= 0 && a2 >= 0;
    shares |= shared;
    all &= a1 >= 0 || a2 >= 0;
    for (int j = 0; j < 16; ++j) {
      const int b1 = first(0, (j + 0.5) / 16);
      const int b2 = first(1, (j + 0.5) / 16);
      if (shared && b1 >= 0 && b2 >= 0 && a1 < b1 && a2 < b2) shape.mirrored = false;
      if (shared && b1 >= 0 && b2 < 0 && a1 < b1) shape.local_first = false;
      if (shared && b2 >= 0 && b1 < 0 && a2 < b2) shape.local_first = false;
    }
  }
  shape.maximal_deployment = !shares || all;
  return shape;
}

TEST(TwoWorkerShape, IsWhatTheTheoremSays) {
  std::mt19937 random(6);
  int has[3] = {};
  for (int trial = 0; trial < 5000; ++trial) {
    const TwoWorkerChunks chunks = random_chunks(random);
    const TwoWorkerShape found = shape_of(chunks, 1);
    const TwoWorkerShape wanted = by_definition(chunks);
    ASSERT_EQ(found.maximal_deployment, wanted.maximal_deployment) << trial;
    ASSERT_EQ(found.local_first, wanted.local_first) << trial;
    ASSERT_EQ(found.mirrored, wanted.mirrored) << trial;
    has[0] += wanted.maximal_deployment;
    has[1] += wanted.local_first;
    has[2] += wanted.mirrored;
  }
  for (const int count : has) {
    EXPECT_GT(count, 250);
    EXPECT_LT(count, 4750);
  }
}

// Both in the same order; in the shape of the theorem worker 2 begins at the other end.
TEST(TwoWorkerShape, TurnsEqualOrdersRound) {
  const TwoWorkerChunks same = {{{{0, 0.25}, {0.25, 0.5}}, {{0, 0.25}, {0.25, 0.5}}}};
  EXPECT_TRUE(shape_of(same, 0.5).maximal_deployment);
  EXPECT_FALSE(shape_of(same, 0.5).mirrored);
  const TwoWorkerSolution better = improved_by_theorem_5(same, 0.5, 0, make_linear_risk());
  EXPECT_DOUBLE_EQ(expected_work_of(same, 0, make_linear_risk()), 0.25 * (2 - 1.0 / 16 - 1.0 / 4));
  EXPECT_DOUBLE_EQ(better.expected_work, 0.25 * (2 - 2.0 / 8));
}

TEST(TwoWorkerShape, CountsEqualChunksOnce) {
  EXPECT_EQ(distinct_chunks({{{{0, 0.5}, {0.5, 1}}, {{0.5, 1}, {0, 0.5}}}}, 1), 2U);
  EXPECT_EQ(distinct_chunks({{{{0, 0.5}}, {{0.25, 1}}}}, 1), 2U);
  EXPECT_EQ(distinct_chunks({}, 1), 0U);
}

}  // namespace
}  // namespace coterie::heuristics
