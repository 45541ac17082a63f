#include "heuristics/chosen_counts.hpp"

#include <gtest/gtest.h>

#include "core/empirical_risk.hpp"
#include "heuristics/group_schedule.hpp"

namespace coterie::heuristics {
namespace {

std::vector<RiskPtr> risks() {
  return {make_linear_risk(), make_linear_risk(2),
          std::make_shared<EmpiricalRisk>(std::vector{0.1, 0.15, 0.4, 0.41, 0.9, 1.0}, "trace")};
}

Granularity auto_with(ChosenCounts& chosen) { return {Granularity::Kind::kAuto, 0, &chosen}; }

// Problems that differ in one thing each: what was chosen for one must not be taken for another.
TEST(ChosenCounts, ChangeNoPlan) {
  ChosenCounts chosen;
  for (int round = 0; round < 2; ++round)  // searched for, then remembered
    for (const RiskPtr& risk : risks())
      for (const double startup : {0.01, 0.011})
        for (const std::size_t workers : {4, 5, 10})
          for (const double work : {1.0, 2.0, 3.0})
            for (const auto kind : {Granularity::Kind::kAuto, Granularity::Kind::kAutoPaper})
              for (const double lambda : {1.0, 0.6}) {
                const WorksharingProblem problem{workers, work, startup, risk, lambda};
                const Plan anew = greedy_plan(problem, {kind, 0});
                const Plan known = greedy_plan(problem, {kind, 0, &chosen});
                ASSERT_EQ(known.chunks, anew.chunks) << risk->text() << " " << workers << " " << work;
                ASSERT_EQ(known.expected_work, anew.expected_work);
                ASSERT_EQ(known.counts_considered, anew.counts_considered);
              }
}

TEST(ChosenCounts, SearchOnce) {
  ChosenCounts chosen;
  const ChosenCounts::Slice slice{make_linear_risk(), 3, 0.75, 0.01, 75, greedy_chart, Granularity::Kind::kAuto};
  int searched = 0;
  const auto choose = [&] { return GranularityChoice{7, 0.5, static_cast<std::size_t>(++searched)}; };
  EXPECT_EQ(chosen.of(slice, choose).evaluated, 1u);
  EXPECT_EQ(chosen.of(slice, choose).evaluated, 1u);
  auto other = slice;
  other.size = std::nextafter(other.size, 1);
  EXPECT_EQ(chosen.of(other, choose).evaluated, 2u);
  EXPECT_EQ(searched, 2);
}

// 10 workers on 2 coteries have the slices of 5 workers on one: the same search.
TEST(ChosenCounts, AreSharedByProblemsWithTheSameSlices) {
  ChosenCounts chosen;
  const RiskPtr risk = make_linear_risk();
  greedy_plan({5, 1, 0.01, risk, 1}, auto_with(chosen));
  int searched = 0;
  chosen.of({risk, 5, 1, 0.01, 100, greedy_chart, Granularity::Kind::kAuto}, [&] {
    ++searched;
    return GranularityChoice{};
  });
  EXPECT_EQ(searched, 0);
}

}  // namespace
}  // namespace coterie::heuristics
