// Compiled schedules against the readable reference of core.
#include "sim/kernels/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/infinity.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/hand_made_schedule.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

std::shared_ptr<const HandMadeList> list_of(std::vector<Task> tasks, const std::vector<double>& boundaries,
                                            double startup) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) sizes.push_back(boundaries[i + 1] - boundaries[i]);
  return hand_made_list(std::move(tasks), sizes, startup);
}

std::vector<Task> single(std::initializer_list<std::uint32_t> pieces) {
  std::vector<Task> tasks;
  for (const std::uint32_t piece : pieces) tasks.push_back({piece, 1});
  return tasks;
}

/// Capacities where an off-by-one shows: none, all, a finish time, one ulp beside it, anything.
double nasty_capacity(const TaskList& list, Dice& dice) {
  const std::size_t kind = dice.whole(0, 6);
  if (kind == 0 || list.finish.empty()) return 0;
  if (kind == 1) return kInfinity;
  const double finish = list.finish[dice.whole(0, list.finish.size() - 1)];
  if (kind == 2) return finish;
  if (kind == 3) return std::nextafter(finish, 0);
  if (kind == 4) return std::nextafter(finish, kInfinity);
  return dice.real(0, 1.1 * list.finish.back());
}

/// The readable reference, in the last bit too: pieces marked one by one, counted by size (differences by rounding
/// apart) in the order in which sizes first occur; all work where everything that anybody is given is done.
double counted_work(const Schedule& schedule, std::span<const double> capacities) {
  std::vector<bool> done(schedule.pieces(), false);
  std::vector<bool> given(schedule.pieces(), false);
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList list = schedule.tasks(w);
    const std::size_t tasks = tasks_done(list, capacities[w]);
    for (std::size_t k = 0; k < list.tasks.size(); ++k)
      for (std::uint32_t i = 0; i < list.tasks[k].pieces; ++i) {
        given[list.tasks[k].first_piece + i] = true;
        if (k < tasks) done[list.tasks[k].first_piece + i] = true;
      }
  }
  if (done == given) return schedule.deployed_work();
  std::vector<std::pair<double, double>> sizes;  // and how many of it are done
  for (std::size_t i = 0; i < done.size(); ++i) {
    const double size = schedule.piece_sizes()[i];
    auto same = std::find_if(sizes.begin(), sizes.end(),
                             [&](const auto& known) { return std::abs(size - known.first) <= 1e-9 * known.first; });
    if (same == sizes.end()) same = sizes.insert(sizes.end(), {size, 0.0});
    if (done[i]) ++same->second;
  }
  double sum = 0;
  for (const auto& [size, count] : sizes) sum += count * size;
  return sum;
}

std::size_t different_sizes(const Schedule& schedule) {
  std::vector<double> sizes;
  for (const double size : schedule.piece_sizes())
    if (std::none_of(sizes.begin(), sizes.end(), [&](double s) { return std::abs(size - s) <= 1e-9 * s; }))
      sizes.push_back(size);
  return sizes.size();
}

/// kLanes instances at once, in the order instance by instance.
using Instances = std::vector<std::vector<double>>;

void expect_the_same(const Schedule& schedule, const Instances& instances, const Kernel& kernel, KernelScratch& scratch,
                     const std::string& name) {
  std::vector<double> lanes(schedule.workers() * kLanes, 0.0);
  for (std::size_t lane = 0; lane < instances.size(); ++lane)
    for (std::size_t w = 0; w < schedule.workers(); ++w) lanes[w * kLanes + lane] = instances[lane][w];
  double work[kLanes];
  kernel.completed_work({lanes.data(), 0, instances.size()}, scratch, work);
  const bool few_sizes = different_sizes(schedule) <= 8;
  for (std::size_t lane = 0; lane < instances.size(); ++lane) {
    const auto& capacities = instances[lane];
    if (few_sizes) {
      ASSERT_EQ(work[lane], counted_work(schedule, capacities)) << name;
    }
    const double reference = completed_work(schedule, capacities);
    ASSERT_NEAR(work[lane], reference, 1e-12 * (1 + reference)) << name;
    ASSERT_EQ(work[lane] == 0, reference == 0) << name;
    ASSERT_EQ(kernel.completed_work(capacities, lane, scratch), work[lane]) << name << " alone";
    const std::vector<std::size_t> done = kernel.tasks_done(capacities, 0);
    for (std::size_t w = 0; w < schedule.workers(); ++w)
      ASSERT_EQ(done[w], tasks_done(schedule.tasks(w), capacities[w])) << name << ", worker " << w;
  }
}

/// Every evaluation that can take the schedule, on every instruction set, over many nasty capacities. One scratch for
/// all, as a thread has.
void expect_kernels_agree(const Schedule& schedule, Dice& dice, std::size_t count, KernelScratch& scratch) {
  bool single_pieces = true;
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (const Task& task : schedule.tasks(w).tasks) single_pieces = single_pieces && task.pieces == 1;
  std::vector<Instances> blocks;
  for (; count > 0; count -= std::min(count, kLanes)) {
    Instances& block = blocks.emplace_back(std::min(count, kLanes), std::vector<double>(schedule.workers()));
    for (auto& capacities : block)
      for (std::size_t w = 0; w < capacities.size(); ++w) capacities[w] = nasty_capacity(schedule.tasks(w), dice);
  }
  for (const LaneLoops* loops : usable_lane_loops())
    for (const auto& [evaluation, name] : {std::pair(Evaluation::kCheapest, "cheapest"),
                                           {Evaluation::kBitsets, "bitsets"},
                                           {Evaluation::kMarks, "marks"},
                                           {Evaluation::kChains, "chains"}}) {
      if (evaluation == Evaluation::kChains && !single_pieces) continue;
      const auto kernel = compile(schedule, {evaluation, {}, loops});
      for (const Instances& block : blocks) {
        expect_the_same(schedule, block, *kernel, scratch, std::string(name) + ", " + loops->name);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

std::vector<double> random_boundaries(Dice& dice, std::size_t pieces) {
  std::vector<double> boundaries = {0};
  const bool equal = dice.coin();
  for (std::size_t i = 0; i < pieces; ++i) boundaries.push_back(boundaries.back() + (equal ? 0.25 : dice.real(0.1, 1)));
  if (dice.coin()) boundaries.back() = boundaries[pieces - 1] + 0.01;  // a partial last chunk
  return boundaries;
}

std::vector<Task> random_tasks(Dice& dice, std::size_t pieces, bool several) {
  std::vector<Task> tasks;
  const std::size_t count = dice.whole(0, 2 * pieces);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = dice.whole(0, pieces - 1);
    const std::size_t run = several ? dice.whole(1, std::min<std::size_t>(4, pieces - first)) : 1;
    tasks.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(run)});
  }
  return tasks;
}

TEST(Kernel, EqualsTheReferenceOnRandomSchedules) {
  Dice dice("random schedules");
  KernelScratch scratch;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t pieces = dice.whole(1, round % 10 == 0 ? 200 : 12);
    const std::vector<double> boundaries = random_boundaries(dice, pieces);
    const bool several = dice.coin();
    const double startup = dice.coin() ? 0 : 0.05;
    HandMadeLists lists;
    for (std::size_t w = dice.whole(1, 6); w > 0; --w) {
      const bool shared = !lists.empty() && dice.whole(0, 3) == 0;
      lists.push_back(shared ? lists[dice.whole(0, lists.size() - 1)]
                             : list_of(random_tasks(dice, pieces, several), boundaries, startup));
    }
    expect_kernels_agree(hand_made_schedule(boundaries, lists), dice, 20, scratch);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// Lists that follow one another for a while, part and meet again: what chains are made of.
TEST(Kernel, EqualsTheReferenceWhereListsShareRuns) {
  Dice dice("shared runs");
  KernelScratch scratch;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t runs = dice.whole(1, 5);
    const std::size_t length = dice.whole(1, 6);
    const std::vector<double> boundaries = random_boundaries(dice, runs * length);
    HandMadeLists lists;
    for (std::size_t w = dice.whole(1, 5); w > 0; --w) {
      std::vector<Task> tasks;
      for (std::size_t visit = dice.whole(0, 4); visit > 0; --visit) {
        const std::size_t run = dice.whole(0, runs - 1);
        const std::size_t begin = dice.whole(0, 3) == 0 ? dice.whole(0, length - 1) : 0;
        for (std::size_t i = begin; i < length; ++i) tasks.push_back({static_cast<std::uint32_t>(run * length + i), 1});
      }
      if (!tasks.empty()) tasks.resize(dice.whole(1, tasks.size()));
      lists.push_back(list_of(std::move(tasks), boundaries, 0.1));
    }
    expect_kernels_agree(hand_made_schedule(boundaries, lists), dice, 20, scratch);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// Lines and rings of pieces, and lists that begin anywhere and run on along them, once around and on.
TEST(Kernel, EqualsTheReferenceOnLinesAndRings) {
  Dice dice("lines and rings");
  KernelScratch scratch;
  for (int round = 0; round < 1000; ++round) {
    const std::size_t pieces = dice.whole(1, round % 10 == 0 ? 150 : 15);
    const std::vector<double> boundaries = random_boundaries(dice, pieces);
    std::vector<std::uint32_t> names(pieces);
    std::iota(names.begin(), names.end(), 0u);
    for (std::size_t i = pieces; i > 1; --i) std::swap(names[i - 1], names[dice.whole(0, i - 1)]);
    struct Part {
      std::size_t first, count;
      bool ring;
    };
    std::vector<Part> parts;
    for (std::size_t first = 0; first < pieces; first += parts.back().count)
      parts.push_back({first, dice.whole(1, pieces - first), dice.coin()});
    HandMadeLists lists;
    for (std::size_t w = dice.whole(1, 8); w > 0; --w) {
      const Part part = parts[dice.whole(0, parts.size() - 1)];
      const std::size_t begin = dice.whole(0, part.count - 1);
      const std::size_t length = dice.whole(0, part.ring ? part.count + 2 : part.count - begin);
      std::vector<Task> tasks;
      for (std::size_t k = 0; k < length; ++k) tasks.push_back({names[part.first + (begin + k) % part.count], 1});
      const bool shared = !lists.empty() && dice.whole(0, 3) == 0;
      lists.push_back(shared ? lists.back() : list_of(std::move(tasks), boundaries, dice.coin() ? 0 : 0.1));
    }
    expect_kernels_agree(hand_made_schedule(boundaries, lists), dice, 20, scratch);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// Coteries of every number of pieces around the shapes of tables, with fewer tasks, as many and more.
TEST(Kernel, EqualsTheReferenceOnSetsOfEveryShape) {
  Dice dice("shapes of sets");
  KernelScratch scratch;
  for (const std::size_t pieces : {1, 15, 16, 17, 32, 33, 48, 49, 63, 64, 65, 80, 81, 96, 97, 112, 113, 127, 128, 129})
    for (const std::size_t most :
         {std::size_t{5}, std::size_t{63}, std::size_t{64}, pieces, std::size_t{127}, std::size_t{128}}) {
      const std::vector<double> boundaries = random_boundaries(dice, 2 * pieces);
      HandMadeLists lists;
      for (std::size_t w = 0; w < 5; ++w) {
        std::vector<Task> tasks;
        for (std::size_t i = 0; i < pieces && i < most; ++i)  // from both ends, so that all meet
          tasks.push_back({static_cast<std::uint32_t>(w % 2 * pieces + (w < 2 ? i : pieces - 1 - i)), 1});
        while (tasks.size() < most)
          tasks.push_back({static_cast<std::uint32_t>(w % 2 * pieces + dice.whole(0, pieces - 1)), 1});
        lists.push_back(list_of(std::move(tasks), boundaries, 0.1));
      }
      expect_kernels_agree(hand_made_schedule(boundaries, lists), dice, 32, scratch);
      if (HasFatalFailure()) FAIL() << pieces << " pieces, " << most << " tasks";
    }
}

/// Pieces of one size, but for the last.
std::vector<double> even_boundaries(std::size_t pieces) {
  std::vector<double> boundaries;
  for (std::size_t i = 0; i <= pieces; ++i) boundaries.push_back(0.25 * static_cast<double>(i));
  boundaries.back() -= 0.2;
  return boundaries;
}

// Coteries that run wide sets in the same order, and such of tasks of several pieces.
TEST(Kernel, EqualsTheReferenceOnWideSetsThatAreAlikeAndOfLongTasks) {
  Dice dice("alike wide sets");
  KernelScratch scratch;
  for (const std::uint32_t pieces : {1u, 2u})
    for (const std::size_t tasks : {7, 8, 9, 300}) {
      constexpr std::uint32_t kHalf = 700;
      const std::vector<double> boundaries = even_boundaries(2 * kHalf);
      std::vector<HandMadeLists> coteries(2);
      for (std::size_t w = 0; w < 4; ++w) {
        std::vector<Task> first = {{0, 1}, {kHalf - 1, 1}};
        for (std::uint32_t i = 0; i < kHalf; ++i) first.push_back({i, 1});  // all are of one coterie
        first.resize(w == 0 ? first.size() : tasks);
        for (Task& task : first)
          if (w > 0) task = {static_cast<std::uint32_t>(dice.whole(0, kHalf - pieces)), pieces};
        std::vector<Task> second = first;
        for (Task& task : second) task.first_piece += kHalf;
        coteries[0].push_back(list_of(std::move(first), boundaries, 0.1));
        coteries[1].push_back(list_of(std::move(second), boundaries, 0.1));
      }
      HandMadeLists lists = coteries[0];
      lists.insert(lists.end(), coteries[1].begin(), coteries[1].end());
      expect_kernels_agree(hand_made_schedule(boundaries, lists), dice, 64, scratch);
      if (HasFatalFailure()) FAIL() << pieces << " pieces a task, " << tasks << " tasks";
    }
}

// Sets of every width that the loops know, and wider ones; coteries whose workers are not neighbours.
TEST(Kernel, EqualsTheReferenceOnSetsOfManyWords) {
  Dice dice("wide sets");
  KernelScratch scratch;
  for (const std::size_t half : {50, 100, 200, 500, 600, 1100}) {
    const std::vector<double> boundaries = even_boundaries(2 * half);
    HandMadeLists lists;
    for (std::size_t w = 0; w < 11; ++w) {
      std::vector<Task> tasks;
      for (std::size_t i = 0; i < half; ++i)
        tasks.push_back({static_cast<std::uint32_t>(w % 2 * half + dice.whole(0, half - 1)), 1});
      lists.push_back(list_of(std::move(tasks), boundaries, 0.1));
    }
    expect_kernels_agree(hand_made_schedule(boundaries, lists), dice, 40, scratch);
    if (HasFatalFailure()) FAIL() << half << " pieces a coterie";
  }
}

TEST(Kernel, EqualsTheReferenceOnOddStructures) {
  const std::vector<double> b = {0, 1, 2, 3, 4, 4.5};
  const auto list = [&](std::initializer_list<std::uint32_t> pieces) { return list_of(single(pieces), b, 0.1); };
  const auto shared = list({0, 1, 2});
  const std::vector<HandMadeLists> structures = {
      {list({})},                                    // nobody does anything
      {list({}), list({4, 3, 2, 1, 0})},             // one idle worker
      {list({0, 0, 0})},                             // a piece again and again
      {list({0, 1, 0, 1, 2})},                       // a run again
      {list({0, 1, 1, 2})},                          // a piece twice in a row
      {list({0, 1, 2}), list({0, 1, 3})},            // two ways on
      {list({0, 2, 3}), list({1, 2, 3})},            // two ways here
      {list({0, 1, 2}), list({2, 1, 0})},            // back again
      {list({0, 1, 2}), list({1, 2, 0})},            // in a ring
      {list({0, 1, 2, 3, 4}), list({2, 3})},         // begins in the middle
      {shared, shared, shared},                      // all the same
      {shared, list({3}), shared, list({4, 3})},     // the same, with others between
      {list({0, 1}), list({2, 3}), list({1, 2})},    // chains that touch
      {list({0}), list({1}), list({2}), list({3})},  // nothing shared
      {list_of({{0, 5}}, b, 0.1)},                   // one task of all pieces
      {list_of({{0, 3}, {2, 3}}, b, 0.1), list({2})},
      {list_of({{1, 0}, {0, 1}}, b, 0.1)},  // a task of no pieces: start-up only
  };
  Dice dice("odd structures");
  KernelScratch scratch;
  for (std::size_t i = 0; i < structures.size(); ++i) {
    expect_kernels_agree(hand_made_schedule(b, structures[i]), dice, 500, scratch);
    if (HasFatalFailure()) FAIL() << "structure " << i;
  }
}

TEST(Kernel, TakesSizesNearTheEndsOfTheDoubles) {
  Dice dice("extreme sizes");
  KernelScratch scratch;
  for (const double unit : {1e-308, 1e-300, 1e-20, 1e20, 1e300}) {
    const std::vector<double> b = {0, unit, 2 * unit, 3 * unit};
    expect_kernels_agree(hand_made_schedule(b, {list_of(single({0, 1, 2}), b, 0), list_of(single({2, 0, 1}), b, 0)}),
                         dice, 500, scratch);
  }
}

// Every strategy of the paper as it is run: the draws of linear risk on their grid, clocks certified for it.
TEST(Kernel, EqualsTheReferenceOnTheStrategiesOfThePaper) {
  Dice dice("strategies");
  KernelScratch scratch;
  for (int round = 0; round < 60; ++round) {
    const double kappa = dice.coin() ? 1 : 0.8;
    const std::size_t workers = dice.whole(1, 30);
    const heuristics::WorksharingProblem problem{workers, dice.real(0.2, static_cast<double>(workers)),
                                                 dice.coin() ? 0.01 : 0.002, make_linear_risk(kappa), 1.0};
    const heuristics::Granularity granularity{
        dice.coin() ? heuristics::Granularity::Kind::kPerUnit : heuristics::Granularity::Kind::kPerSlice,
        dice.whole(1, dice.coin() ? 20 : 150)};
    for (const char* name : {"greedy", "snake", "brute", "no-replication", "cyclic-replication"}) {
      const auto plan = heuristics::worksharing_strategy(name).build(problem, granularity);
      const StreamKey key = StreamKey::derive(2013, static_cast<std::uint64_t>(round), Use::kInterruption);
      Instances block(kLanes, std::vector<double>(workers));
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        worker_uniforms(key, lane, block[lane]);
        problem.risk->sample(block[lane], block[lane]);
      }
      for (const LaneLoops* loops : usable_lane_loops()) {
        const auto kernel = compile(*plan.schedule, {Evaluation::kCheapest, {kappa}, loops});
        expect_the_same(*plan.schedule, block, *kernel, scratch, std::string(name) + ", " + loops->name);
        if (HasFatalFailure()) FAIL() << "round " << round;
      }
    }
  }
}

TEST(Kernel, TheCommonListIsTheOneThatMostBegin) {
  const FinishTimes four({1, 2, 3, 4});
  const FinishTimes same_three({1, 2, 3});
  const FinishTimes other({1, 2.5});

  EXPECT_EQ(common_list(std::vector{four, same_three, other}), four);
  EXPECT_EQ(common_list(std::vector{same_three, other, four}), four);
  EXPECT_EQ(common_list(std::vector{FinishTimes({1.5, 2.5}), four.first(1), four.first(2)}), four.first(2));
  EXPECT_TRUE(common_list(std::vector{four, other}).empty());
  EXPECT_TRUE(common_list(std::vector{four, FinishTimes()}).empty());
  EXPECT_TRUE(common_list({}).empty());
}

TEST(Kernel, ALongestListIsOneThatAllOthersBegin) {
  const std::vector<double> b = {0, 1, 2, 3};
  const auto longest = [&](std::vector<std::shared_ptr<const HandMadeList>> lists) {
    return longest_list(hand_made_schedule(b, std::move(lists)));
  };

  EXPECT_EQ(longest({list_of(single({0}), b, 0), list_of(single({2, 1}), b, 0)}), FinishTimes({1, 2}));
  EXPECT_TRUE(longest({list_of(single({0}), b, 0), list_of(single({2, 1}), b, 0.5)}).empty());
  EXPECT_TRUE(longest({list_of({}, b, 0)}).empty());
}

/// The works of some instances, the tasks of `common` counted beforehand.
std::vector<double> works_of(const Kernel& kernel, const std::vector<double>& capacities, const FinishTimes& common,
                             const CapacityGrid& grid, const LaneLoops& loops) {
  std::vector<std::int32_t> tasks(capacities.size());
  const TaskCounter counter(common, grid);
  loops.count(counter.view(), capacities.data(), capacities.size() / kLanes, tasks.data());
  KernelScratch scratch;
  std::vector<double> work(kLanes);
  kernel.completed_work({capacities.data(), 7, kLanes, common.empty() ? nullptr : tasks.data()}, scratch, work.data());
  return work;
}

TEST(Kernel, IsTheSameWhereTasksAreCountedOnceForSeveral) {
  Dice dice("common");
  std::size_t in_common = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t workers = dice.whole(1, 30);
    const heuristics::WorksharingProblem problem{workers, std::ceil(dice.real(0, static_cast<double>(workers))),
                                                 dice.coin() ? 0.01 : 0.002, make_linear_risk(), 1.0};
    const heuristics::Granularity granularity{heuristics::Granularity::Kind::kPerUnit, dice.whole(1, 150)};
    const CapacityGrid grid{dice.coin() ? 1.0 : 0.0};
    const StreamKey key = StreamKey::derive(2013, static_cast<std::uint64_t>(round), Use::kInterruption);
    std::vector<heuristics::Plan> plans;
    std::vector<FinishTimes> lists;
    for (const char* name : {"greedy", "brute", "no-replication", "cyclic-replication", "random-replication"}) {
      const heuristics::Plan& plan =
          plans.emplace_back(heuristics::worksharing_strategy(name).build(problem, granularity));
      lists.push_back(plan.schedule ? longest_list(*plan.schedule) : longest_list(*plan.random));
    }
    const FinishTimes common = common_list(lists);
    in_common += common.empty() ? 0 : 1;
    for (const LaneLoops* loops : usable_lane_loops()) {
      std::vector<double> capacities((workers + 3) / 4 * 4 * kLanes);
      loops->uniforms(key.key[0], key.key[1], 7, 0, workers, capacities.data());
      capacities.resize(workers * kLanes);
      for (const heuristics::Plan& plan : plans) {
        const auto compiled = [&](const FinishTimes& list) {
          const CompileOptions options{Evaluation::kCheapest, grid, loops, list};
          const auto kernel =
              plan.schedule ? compile(*plan.schedule, options) : compile(*plan.random, workers, key, options);
          return works_of(*kernel, capacities, list, grid, *loops);
        };
        ASSERT_EQ(compiled(common), compiled({})) << "round " << round << ", " << loops->name;
      }
    }
  }
  EXPECT_GT(in_common, 40u);
}

TEST(Kernel, RefusesChainsOfTasksWithSeveralPieces) {
  const std::vector<double> b = {0, 1, 2};
  EXPECT_THROW(compile(hand_made_schedule(b, {list_of({{0, 2}}, b, 0)}), {Evaluation::kChains}), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::sim
