#include "heuristics/dispatch/planning_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "heuristics/dispatch/planned_lists.hpp"

namespace coterie::heuristics {
namespace {

/// Chunks of one size from the pool.
struct Pool final : ListeningPolicy {
  explicit Pool(double chunk) : size(chunk) {}
  Order next(const Heard& heard, std::uint32_t) override {
    return heard.pool() > 0 ? Order::fresh(size) : Order::nothing();
  }
  double size;
};

PolicyMaker pool(double chunk) {
  return [chunk] { return std::make_unique<Pool>(chunk); };
}

const WorksharingProblem kProblem{4, 1, 0.01, make_linear_risk(1), 1, 0};

TEST(PlanningRuns, TakeWhatCompletesMost) {
  const PlanningRuns runs(kProblem, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  const std::vector<PolicyMaker> makers = {pool(1), pool(0.002), pool(0.05), pool(0.5)};
  EXPECT_EQ(runs.best(makers, 500), 2u);
  EXPECT_EQ(runs.best(makers, 500), 2u) << "the same again";
}

TEST(PlanningRuns, TakeTheFirstOfEquals) {
  const PlanningRuns runs(kProblem, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  EXPECT_EQ(runs.best({pool(1), pool(0.05), pool(0.05)}, 200), 1u);
}

/// A plan of one chunk for each of four workers.
PolicyMaker chunks_of(const std::vector<std::uint32_t>& chunk_of_worker) {
  TaskLists lists;
  for (const std::uint32_t chunk : chunk_of_worker) {
    lists.add({chunk, 1});
    lists.close(back_to_back(lists.open(), std::vector{0.5, 0.5}, 0.01));
  }
  return [schedule = Schedule({0, 0.5, 1}, lists)] { return std::make_unique<PlannedLists>(schedule); };
}

// Where workers 0 and 1 are interrupted together, and 2 and 3, copies across zones complete what those within zones do,
// and more whenever one zone lives for a chunk and the other does not: they are behind in no instance, and equal in all
// 200 with probability 2^-200.
TEST(PlanningRuns, KnowWhoIsInterruptedTogether) {
  const PlanningRuns runs(kProblem, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan), {2, 1});
  const PolicyMaker packed = chunks_of({0, 0, 1, 1});
  const PolicyMaker spread = chunks_of({0, 1, 0, 1});
  EXPECT_EQ(runs.best({packed, spread}, 200), 1u);
  EXPECT_EQ(runs.best({spread, packed}, 200), 0u);
}

/// Hears of interruptions at once, and notes when they were.
struct Notes final : ListeningPolicy {
  explicit Notes(std::vector<std::vector<double>>& noted) : lives(noted) {}
  void begin(const Heard&) override { lives.emplace_back(4, 1.0); }
  Order next(const Heard& heard, std::uint32_t) override {
    return heard.pool() > 0 ? Order::fresh(2) : Order::nothing();  // longer than any life
  }
  void lost(const Heard& heard, std::uint32_t worker) override { lives.back()[worker] = heard.now(); }
  std::vector<std::vector<double>>& lives;
};

/// The interruptions of planning instances.
std::vector<std::vector<double>> lives_in(const Zones& zones, std::size_t instances) {
  WorksharingProblem problem = kProblem;
  problem.work = 8;
  std::vector<std::vector<double>> lives;
  const PolicyMaker notes = [&] { return std::make_unique<Notes>(lives); };
  std::vector<std::vector<double>> others;
  PlanningRuns(problem, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan), zones)
      .best({notes, [&] { return std::make_unique<Notes>(others); }}, instances);
  return lives;
}

// P(T_v > a, T_w > b) = max(1 - a, 1 - b)^rho ... as in core/zones.hpp. 32 pairs for each of 2 settings: 0.028 is
// exceeded by chance in fewer than 64 x 2 exp(-2 x 20000 x 0.028^2) < 1e-11 of all runs.
TEST(PlanningRuns, DrawLivesOfTheirLawInZones) {
  for (const double common : {0.4, 1.0}) {
    const auto lives = lives_in({2, common}, 20000);
    ASSERT_EQ(lives.size(), 20000u);
    for (const double a : {0.3, 0.6})
      for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t w = 0; w < 4; ++w) {
          const double b = 0.5;
          double both = 0;
          for (const auto& life : lives) both += life[v] > a && life[w] > b;
          double expected = (1 - a) * (1 - b);
          if (v / 2 == w / 2) expected = std::pow(1 - std::max(a, b), common) * std::pow(expected, 1 - common);
          if (v == w) expected = 1 - std::max(a, b);
          EXPECT_NEAR(both / 20000, expected, 0.028) << common << " " << v << " " << w;
        }
  }
}

TEST(PlanningRuns, AreTheSameWhereZonesBindNobody) {
  const auto plain = lives_in({}, 200);
  EXPECT_EQ(lives_in({2, 0}, 200), plain);
  EXPECT_EQ(lives_in({4, 0.7}, 200), plain);
  EXPECT_NE(lives_in({2, 0.7}, 200), plain);
}

/// Two workers that outlive everything: both ways complete all, in halves at once or one after another.
TEST(PlanningRuns, TakeWhatIsDoneFirstOfThoseThatCompleteTheSame) {
  const WorksharingProblem easy{2, 0.01, 1e-6, make_linear_risk(1e-9), 1, 0};
  const PlanningRuns runs(easy, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  EXPECT_EQ(runs.best({pool(1), pool(0.005), pool(0.009)}, 100), 1u);
  EXPECT_EQ(runs.best({pool(1), pool(0.009), pool(0.009)}, 100), 1u) << "the first of equals";
}

/// One worker, linear risk: chunks of .26 and .04 complete .1404 + .012 in the mean, one of .3 completes .15. The first
/// are behind in a fifth of all instances by .04, ahead in one of 25 by .26, and level in sum when 13 times as many of
/// those have come up as of these, as at the start. One of .3 is done sooner.
TEST(PlanningRuns, GiveNobodyUpForWantOfRareInstances) {
  const WorksharingProblem one{1, 0.3, 0.2, make_linear_risk(1), 1, 0};
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const PlanningRuns runs(one, {0, 0, 1, true}, StreamKey::derive(seed, 2, Use::kPlan));
    if (runs.best({pool(0.3), pool(0.26)}, 6000, 1, PlanningRuns::kMostEvents, one.work) != 1u) ++wrong;
  }
  EXPECT_LE(wrong, 1u) << "0.1 in the mean by chance; 29 where equal sums count as equal instances";
}

/// What each runs is bounded by how much happens, but for the least number of instances.
TEST(PlanningRuns, EndWhenMuchHasHappened) {
  struct Counting final : ListeningPolicy {
    explicit Counting(std::size_t& begun) : instances(begun) {}
    void begin(const Heard&) override { ++instances; }
    Order next(const Heard& heard, std::uint32_t) override {
      return heard.pool() > 0 ? Order::fresh(1e-2) : Order::nothing();
    }
    std::size_t& instances;
  };
  const WorksharingProblem long_lived{2, 1, 1e-6, make_linear_risk(1e-9), 1, 0};
  const PlanningRuns runs(long_lived, {0, 0, 1, true}, StreamKey::derive(1, 2, Use::kPlan));
  for (const std::size_t least : {4u, 400u}) {
    std::size_t instances = 0;
    const PolicyMaker counting = [&] { return std::make_unique<Counting>(instances); };
    runs.best({counting, counting}, 1000, least, 10'000);
    EXPECT_GE(instances, 2 * least);
    EXPECT_LE(instances, std::max<std::size_t>(2 * least, 10'000 / 100 + 2)) << "a chunk is an event, and more";
  }
}

TEST(PlanningRuns, AreMoreForFewWorkersAndFewerForMany) {
  const auto affordable = [](std::size_t workers) {
    WorksharingProblem problem = kProblem;
    problem.workers = workers;
    return PlanningRuns(problem, {}, StreamKey::derive(1, 2, Use::kPlan)).affordable(1000, 4);
  };
  EXPECT_EQ(affordable(1), 16'000u);
  EXPECT_EQ(affordable(25), 1000u);
  EXPECT_EQ(affordable(50), 1000u);
  EXPECT_EQ(affordable(100), 500u);
  EXPECT_EQ(affordable(1'000'000), 4u);
}

}  // namespace
}  // namespace coterie::heuristics
