#include "heuristics/chunks/slice_cache.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "core/empirical_risk.hpp"
#include "heuristics/charts/refined_chart.hpp"
#include "heuristics/chunks/slice_objective.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

std::vector<RiskPtr> risks() {
  return {make_linear_risk(), make_linear_risk(2),
          std::make_shared<EmpiricalRisk>(std::vector{0.1, 0.15, 0.4, 0.41, 0.9, 1.0}, "trace")};
}

Granularity auto_with(SliceCache& memory) { return {Granularity::Kind::kAuto, 0, &memory}; }

// Problems that differ in one thing each: what was chosen for one must not be taken for another.
TEST(SliceCache, ChangeNoPlan) {
  SliceCache memory;
  for (int round = 0; round < 2; ++round)  // searched for, then remembered
    for (const RiskPtr& risk : risks())
      for (const double startup : {0.01, 0.011})
        for (const std::size_t workers : {4, 5, 10})
          for (const double work : {1.0, 2.0, 3.0})
            for (const auto kind : {Granularity::Kind::kAuto, Granularity::Kind::kAutoPaper})
              for (const double lambda : {1.0, 0.6}) {
                const WorksharingProblem problem{workers, work, startup, risk, lambda};
                const Plan anew = greedy_plan(problem, {kind, 0});
                const Plan known = greedy_plan(problem, {kind, 0, &memory});
                ASSERT_EQ(known.chunks, anew.chunks) << risk->text() << " " << workers << " " << work;
                ASSERT_EQ(known.expected_work, anew.expected_work);
                ASSERT_EQ(known.counts_considered, anew.counts_considered);
              }
}

// Whatever differs, it is another search.
TEST(SliceCache, SearchOnce) {
  using Slice = SliceCache::Slice;
  SliceCache memory;
  std::size_t searched = 0;
  const auto choose = [&] { return GranularityChoice{7, 0.5, ++searched}; };
  const Slice slice{make_linear_risk(), 3, 0.75, 0.01, 75, greedy_chart, Granularity::Kind::kAuto};
  const std::vector<void (*)(Slice&)> changes = {
      [](Slice&) {},
      [](Slice& s) { s.risk = make_linear_risk(); },
      [](Slice& s) { s.workers = 4; },
      [](Slice& s) { s.size = std::nextafter(s.size, 1); },
      [](Slice& s) { s.startup_cost = 0.02; },
      [](Slice& s) { s.limit = 74; },
      [](Slice& s) { s.chart = cyclic_chart; },
      [](Slice& s) { s.chart = nullptr; },
      [](Slice& s) { s.kind = Granularity::Kind::kAutoPaper; },
      [](Slice& s) { s.start = 7; },
  };
  std::vector<Slice> others;
  for (const auto change : changes) change(others.emplace_back(slice));
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < others.size(); ++i) EXPECT_EQ(memory.count(others[i], choose).evaluated, i + 1);
  EXPECT_EQ(searched, others.size());
}

// 5 workers on one unit of work have the slice of 10 workers on two of them.
TEST(SliceCache, AreSharedByProblemsWithTheSameSlices) {
  SliceCache memory;
  const RiskPtr risk = make_linear_risk();
  const Plan five = greedy_plan({5, 1, 0.01, risk, 1}, auto_with(memory));
  std::size_t searched = 0;
  const std::size_t limit = slice_chunk_limit({5, 1, 0.01, risk, 1});
  const auto choice = memory.count({risk, 5, 1, 0.01, limit, greedy_chart, Granularity::Kind::kAuto}, [&] {
    ++searched;
    return GranularityChoice{};
  });
  EXPECT_EQ(searched, 0u);
  EXPECT_EQ(greedy_plan({10, 2, 0.01, risk, 1}, auto_with(memory)).chunks, 2 * choice.chunks);
  EXPECT_EQ(five.chunks, choice.chunks);
}

TEST(SliceCache, AreSharedByThreads) {
  SliceCache memory;
  const RiskPtr risk = make_linear_risk();
  const Plan alone = greedy_plan({10, 2, 0.01, risk, 1}, {Granularity::Kind::kAuto, 0});
  std::vector<std::thread> threads;
  std::vector<std::size_t> chunks(4);
  for (std::size_t& of_thread : chunks)
    threads.emplace_back([&] {
      for (const double work : {1.0, 2.0, 3.0, 2.0})
        of_thread = greedy_plan({10, work, 0.01, risk, 1}, auto_with(memory)).chunks;
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t count : chunks) EXPECT_EQ(count, alone.chunks);
}

std::size_t built = 0;
GroupChart counted_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                         std::span<const double>) {
  ++built;
  return greedy_chart(executions, groups, risk_at_step);
}

TEST(SliceCache, BuildsAChartOnceForTheSameArguments) {
  SliceCache memory;
  const std::vector<double> risk = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::vector<double> other = risk;
  other[4] = std::nextafter(other[4], 1);
  const std::vector<double> whole = {1, 1};
  const std::vector<double> part = {1, 0.5};
  built = 0;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(memory.chart(counted_chart, 3, 2, risk, whole).steps, greedy_chart(3, 2, risk).steps);
    EXPECT_EQ(memory.chart(counted_chart, 3, 2, other, whole).steps, greedy_chart(3, 2, other).steps);
    EXPECT_EQ(memory.chart(counted_chart, 3, 2, risk, part).steps, greedy_chart(3, 2, risk).steps);
    EXPECT_EQ(memory.chart(counted_chart, 2, 3, risk, whole).steps, greedy_chart(2, 3, risk).steps);
  }
  EXPECT_EQ(built, 4u);
  EXPECT_EQ(memory.chart(refined_chart, 3, 2, risk, whole).steps, refined_chart(3, 2, risk, whole).steps);
}

TEST(SliceCache, FindsTheSizesOfAShareOnce) {
  using Share = SliceCache::Share;
  using Sizes = std::vector<SliceCache::ChunkSizes>;
  SliceCache memory;
  std::size_t found = 0;
  const auto find = [&] { return Sizes{{0.5, static_cast<double>(++found)}}; };
  const Share share{make_linear_risk(), 0.75, 0.01, 250, {3, 5}};
  const std::vector<void (*)(Share&)> changes = {
      [](Share&) {},
      [](Share& s) { s.risk = make_linear_risk(); },
      [](Share& s) { s.size = std::nextafter(s.size, 1); },
      [](Share& s) { s.startup_cost = 0.02; },
      [](Share& s) { s.half = 251; },
      [](Share& s) { s.bounds = {3}; },
      [](Share& s) {
        s.bounds = {3, 6};
      },
  };
  std::vector<Share> others;
  for (const auto change : changes) change(others.emplace_back(share));
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < others.size(); ++i)
      EXPECT_EQ(memory.sizes(others[i], find), (Sizes{{0.5, static_cast<double>(i + 1)}}));
  EXPECT_EQ(found, others.size());
}

TEST(BoundedCache, ForgetsAllRatherThanHoldTooMuch) {
  BoundedCache<int, std::vector<int>> answers(5);
  std::vector<int> asked;
  const auto ask = [&](int question, std::size_t size) {
    const auto find = [&] {
      asked.push_back(question);
      return std::vector(size, question);
    };
    return answers.get(question, find, [](const std::vector<int>& answer) { return answer.size(); });
  };
  ask(1, 3);
  ask(2, 2);
  EXPECT_EQ(ask(1, 3), std::vector(3, 1));
  EXPECT_EQ(asked, (std::vector{1, 2}));
  EXPECT_EQ(ask(3, 6), std::vector(6, 3));  // larger than all: not kept, and nothing is forgotten for it
  ask(3, 6);
  ask(2, 2);
  EXPECT_EQ(asked, (std::vector{1, 2, 3, 3}));
  ask(4, 1);
  ask(4, 1);
  ask(1, 3);
  EXPECT_EQ(asked, (std::vector{1, 2, 3, 3, 4, 1}));
}

// What a campaign remembers of one configuration changes nothing in another.
TEST(SliceCache, ChangesNoPlanOfAnyStrategy) {
  SliceCache memory;
  for (int round = 0; round < 2; ++round)
    for (const RiskPtr& risk : risks())
      for (const std::size_t workers : {4, 7})
        for (const double work : {1.0, 2.0, 3.0})
          for (const Strategy& strategy : worksharing_strategies()) {
            if (strategy.name == "optimal" || strategy.name == "two-workers") continue;  // take long; are for two
            const WorksharingProblem problem{workers, work, 0.02, risk, 1};
            const Plan anew = strategy.build(problem, {Granularity::Kind::kAuto, 0});
            const Plan known = strategy.build(problem, auto_with(memory));
            ASSERT_EQ(known.chunks, anew.chunks)
                << strategy.name << " " << risk->text() << " " << workers << " " << work;
            ASSERT_EQ(known.expected_work, anew.expected_work);
          }
}

}  // namespace
}  // namespace coterie::heuristics
