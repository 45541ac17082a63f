// What Section 6.2 of worksharing-2013 claims of its experiments, in exact expected work: nothing is sampled.
// COTERIE_FULL=1 runs the whole grids; the default leaves out most of the numbers of workers and chunks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

bool full() {
  const char* set = std::getenv("COTERIE_FULL");
  return set != nullptr && std::string_view(set) == "1";
}

const std::vector<double> kStartups = {0.1, 0.01, 0.001, 0.0001};
const std::vector<std::size_t> kChunks = {47, 97, 147, 197};

double expected(const char* strategy, std::size_t workers, double work, double startup, const Granularity& chunks) {
  const WorksharingProblem problem{workers, work, startup, make_linear_risk(), 1.0, 0};
  return worksharing_strategy(strategy).build(problem, chunks).expected_work;
}

/// How often each strategy expects more work than greedy (by more than rounding), and by how much at most.
struct Tally {
  std::size_t configurations = 0;
  std::size_t cyclic_better = 0;
  double cyclic_gain = 0;
  std::size_t cyclic_below_none = 0;
  std::size_t none_better = 0;

  void add(std::size_t workers, double work, double startup, const Granularity& chunks) {
    const double greedy = expected("greedy", workers, work, startup, chunks);
    const double cyclic = expected("cyclic-replication", workers, work, startup, chunks);
    const double none = expected("no-replication", workers, work, startup, chunks);
    const double brute = expected("brute", workers, work, startup, chunks);
    const double more = greedy * (1 + 1e-10);
    ++configurations;
    if (none > more) ++none_better;
    EXPECT_LE(brute, more) << workers << " workers, work " << work << ", start-up " << startup;
    if (cyclic < none * (1 - 1e-10)) ++cyclic_below_none;
    if (cyclic <= more) return;
    ++cyclic_better;
    cyclic_gain = std::max(cyclic_gain, cyclic / greedy - 1);
  }
};

Granularity per_unit(std::size_t chunks) { return {Granularity::Kind::kPerUnit, chunks}; }

// E1: p in {5, 10, 25, 50, 100}, W = 1..p, n and eps four each: 3040 configurations. Cyclic better in 10, at p >= 50
// and W <= 5, by at most 0.92 %.
TEST(Claims, E1GreedyIsAlmostNeverOutperformed) {
  Tally small;
  Tally large;
  for (const std::size_t p : {5, 10, 25, 50, 100})
    for (std::size_t work = 1; work <= p; ++work)
      for (const std::size_t n : kChunks)
        for (const double startup : kStartups) {
          const bool at_risk = p >= 50 && work <= 5;
          if (!full() && !at_risk && (p > 25 || work % 3 != 0)) continue;
          (at_risk ? large : small).add(p, static_cast<double>(work), startup, per_unit(n));
        }

  EXPECT_EQ(large.configurations, 160u);
  EXPECT_EQ(large.cyclic_better, 10u);
  EXPECT_NEAR(large.cyclic_gain, 0.0092, 0.00005);
  EXPECT_EQ(small.cyclic_better, 0u);
  EXPECT_EQ(small.none_better + large.none_better, 0u);
  EXPECT_EQ(small.cyclic_below_none + large.cyclic_below_none, 0u);
  if (full()) {
    EXPECT_EQ(small.configurations, 2880u);
  }
}

// E2: 36 numbers of workers, W = 0.3 p and 0.7 p: 1152 configurations, cyclic never better.
TEST(Claims, E2GreedyIsNeverOutperformed) {
  Tally tally;
  for (std::size_t p = 5; p <= 100; p += p < 25 ? 1 : 5) {
    if (!full() && p % 5 != 0) continue;
    if (!full() && p > 50 && p != 100) continue;
    for (const double share : {0.3, 0.7})
      for (const std::size_t n : kChunks)
        for (const double startup : kStartups) tally.add(p, share * static_cast<double>(p), startup, per_unit(n));
  }

  EXPECT_EQ(tally.cyclic_better, 0u);
  EXPECT_EQ(tally.none_better, 0u);
  EXPECT_EQ(tally.cyclic_below_none, 0u);
  if (full()) {
    EXPECT_EQ(tally.configurations, 1152u);
  }
}

// E3: n = 1, 3, ..., 195: 3920 configurations, cyclic better in 3, at n = 1 and 19. In one of them, with chunks as
// large as X (p = 25, W = 7.5, n = 1, eps = 0.1), no-replication is better, too.
TEST(Claims, E3GreedyIsAlmostNeverOutperformed) {
  Tally coarse;
  Tally fine;
  for (const std::size_t p : {5, 10, 25, 50, 100})
    for (const double share : {0.3, 0.7})
      for (std::size_t n = 1; n <= 195; n += 2)
        for (const double startup : kStartups) {
          if (!full() && n > 19 && (n % 20 != 1 || p > 25)) continue;
          (n == 1 || n == 19 ? coarse : fine).add(p, share * static_cast<double>(p), startup, per_unit(n));
        }

  EXPECT_EQ(coarse.cyclic_better, 3u);
  EXPECT_EQ(fine.cyclic_better, 0u);
  EXPECT_EQ(coarse.none_better, 1u);
  EXPECT_EQ(fine.none_better, 0u);
  if (full()) {
    EXPECT_EQ(coarse.configurations + fine.configurations, 3920u);
  }
}

// E5: every strategy at its own best granularity; 760 configurations. Cyclic better in 138 (102 of them at eps = 0.1,
// by at most 1.23 %, p = 100, W = 9), never below no-replication, whose counts are among its own. The margin is for
// counts of equal worth but for rounding.
TEST(Claims, E5GreedyIsSometimesOutperformedByCyclicAlone) {
  const Granularity automatic{Granularity::Kind::kAuto, 0};
  Tally coarse;
  Tally fine;
  for (const std::size_t p : {5, 10, 25, 50, 100})
    for (std::size_t work = 1; work <= p; ++work)
      for (const double startup : kStartups) {
        if (!full() && startup != 0.1 && (p > 10 || work % 2 != 0)) continue;
        (startup == 0.1 ? coarse : fine).add(p, static_cast<double>(work), startup, automatic);
      }

  EXPECT_EQ(coarse.configurations, 190u);
  EXPECT_EQ(coarse.none_better + fine.none_better, 0u);
  EXPECT_NEAR(static_cast<double>(coarse.cyclic_better), 102, 1);
  EXPECT_EQ(coarse.cyclic_below_none + fine.cyclic_below_none, 0u);
  EXPECT_NEAR(coarse.cyclic_gain, 0.01231, 0.00005);
  if (!full()) return;
  EXPECT_EQ(coarse.configurations + fine.configurations, 760u);
  EXPECT_NEAR(static_cast<double>(coarse.cyclic_better + fine.cyclic_better), 138, 2);
}

}  // namespace
}  // namespace coterie::heuristics
