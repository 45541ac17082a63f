#include "sim/kernels/same_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/infinity.hpp"
#include "sim/kernels/kernel.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

/// A schedule in parts that can be changed one by one. Finish times need not follow from sizes: that equal times come
/// with equal sizes must not be what tells schedules apart.
struct Draft {
  std::vector<double> sizes;
  std::vector<std::vector<Task>> tasks;     // by list
  std::vector<std::vector<double>> finish;  // by list
  std::vector<std::uint32_t> list_of = {};  // by worker

  Schedule schedule() const {
    std::vector<double> boundaries = {0};
    for (const double size : sizes) boundaries.push_back(boundaries.back() + size);
    TaskLists lists;
    for (std::size_t list = 0; list < tasks.size(); ++list) {
      for (const Task& task : tasks[list]) lists.add(task);
      lists.close(finish[list]);
    }
    return Schedule(std::move(boundaries), std::move(lists), list_of);
  }
};

bool alike(const Draft& a, const Draft& b) { return complete_the_same_work(a.schedule(), b.schedule()); }

constexpr Evaluation kEvaluations[] = {Evaluation::kCheapest, Evaluation::kBitsets, Evaluation::kMarks};

/// Whether all kernels of both say the same for capacities at and beside finish times of the first.
bool kernels_agree(const Schedule& a, const Schedule& b, Dice& dice) {
  if (a.workers() != b.workers()) return false;
  std::vector<double> capacities(a.workers() * kLanes);
  for (std::size_t w = 0; w < a.workers(); ++w)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const FinishTimes& finish = a.tasks(w).finish;
      const double time = finish.empty() ? 0 : finish[dice.whole(0, finish.size() - 1)];
      const double beside[] = {time, std::nextafter(time, 0), std::nextafter(time, 100), kInfinity};
      capacities[w * kLanes + lane] = beside[dice.whole(0, 3)];
    }
  KernelScratch scratch;
  for (const Evaluation evaluation : kEvaluations) {
    double work_of_a[kLanes];
    double work_of_b[kLanes];
    compile(a, {evaluation})->completed_work({capacities.data()}, scratch, work_of_a);
    compile(b, {evaluation})->completed_work({capacities.data()}, scratch, work_of_b);
    if (std::memcmp(work_of_a, work_of_b, sizeof work_of_a) != 0) return false;
  }
  return true;
}

std::uint32_t any(Dice& dice, std::size_t count) { return static_cast<std::uint32_t>(dice.whole(0, count - 1)); }

Task random_task(Dice& dice, std::size_t pieces, bool several) {
  const std::uint32_t first = any(dice, pieces);
  return {first, several ? static_cast<std::uint32_t>(dice.whole(0, std::min<std::size_t>(3, pieces - first))) : 1};
}

/// Sizes in turn from few, from sixteen or from such that are equal but for rounding; lists shared here and there.
Draft random_draft(Dice& dice, std::size_t pieces, bool several) {
  Draft draft;
  const std::size_t kind = dice.whole(0, 3);
  for (std::size_t i = 0; i < pieces; ++i) {
    const double of_kind[] = {0.25, i % 2 == 0 ? 0.25 : 0.125, (1 + static_cast<double>(dice.whole(0, 15))) / 64,
                              0.25 * (1 + (dice.coin() ? 1e-12 : 0))};
    draft.sizes.push_back(of_kind[kind]);
  }
  const std::size_t lists = dice.whole(1, 4);
  for (std::size_t list = 0; list < lists; ++list) {
    auto& tasks = draft.tasks.emplace_back();
    auto& finish = draft.finish.emplace_back();
    for (std::size_t k = dice.whole(0, pieces); k > 0; --k) {
      tasks.push_back(random_task(dice, pieces, several));
      finish.push_back((finish.empty() ? 0 : finish.back()) + (dice.coin() ? 0.25 : 0.375));
    }
    draft.list_of.push_back(static_cast<std::uint32_t>(list));
  }
  for (std::size_t more = dice.whole(0, 2); more > 0; --more) draft.list_of.push_back(any(dice, lists));
  return draft;
}

TEST(SameWork, IsDoneWithPiecesOfTheSameSizesUnderOtherNames) {
  Dice dice("renamed pieces");
  for (int round = 0; round < 500; ++round) {
    const std::size_t pieces = 2 * dice.whole(1, 40);
    Draft draft = random_draft(dice, pieces, false);
    draft.sizes.assign(pieces, 0.25);
    if (dice.coin())
      for (std::size_t i = 1; i < pieces; i += 2) draft.sizes[i] = 0.125;
    std::vector<std::uint32_t> names(pieces);
    std::iota(names.begin(), names.end(), 0u);
    for (std::size_t swaps = 0; swaps < pieces; ++swaps) {  // of pieces of one size
      const std::size_t i = dice.whole(0, pieces - 1);
      std::swap(names[i], names[i + 2 * dice.whole(0, (pieces - 1 - i) / 2)]);
    }
    Draft other = draft;
    for (auto& tasks : other.tasks)
      for (Task& task : tasks) task.first_piece = names[task.first_piece];

    ASSERT_TRUE(alike(draft, other)) << round;
    ASSERT_TRUE(kernels_agree(draft.schedule(), other.schedule(), dice)) << round;
  }
}

// Whatever is changed: where the answer is yes, kernels must agree; where kernels differ, it must be no.
TEST(SameWork, IsNotClaimedWhereKernelsDiffer) {
  Dice dice("changed schedules");
  std::size_t claimed = 0;
  std::size_t differing = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::size_t pieces = dice.whole(1, round % 3 == 0 ? 16 : 5);
    const bool several = dice.coin();
    const Draft draft = random_draft(dice, pieces, several);
    Draft changed = draft;
    const std::size_t list = dice.whole(0, changed.tasks.size() - 1);
    switch (dice.whole(0, 4)) {
      case 0:
        std::swap(changed.tasks.front(), changed.tasks[list]);
        std::swap(changed.finish.front(), changed.finish[list]);
        break;
      case 1:
        std::swap(changed.sizes.front(), changed.sizes[dice.whole(0, pieces - 1)]);
        break;
      case 2:
        std::swap(changed.list_of.front(), changed.list_of[dice.whole(0, changed.list_of.size() - 1)]);
        break;
      case 3:
        if (!changed.finish[list].empty()) changed.finish[list].back() += 0.125;
        break;
      default:
        if (auto& tasks = changed.tasks[list]; !tasks.empty())
          tasks[dice.whole(0, tasks.size() - 1)] = random_task(dice, pieces, several);
    }
    const bool agree = kernels_agree(draft.schedule(), changed.schedule(), dice);
    const bool same = alike(draft, changed);
    claimed += same ? 1 : 0;
    differing += agree ? 0 : 1;

    ASSERT_EQ(same, alike(changed, draft)) << round;
    ASSERT_TRUE(agree || !same) << round;
  }
  EXPECT_GT(claimed, 600u);  // or nothing was tried
  EXPECT_GT(differing, 600u);
}

Draft two_pieces_at_once(std::uint32_t first, std::uint32_t second, std::vector<double> sizes) {
  return {std::move(sizes), {{{first, 1}}, {{second, 1}}}, {{0.5}, {0.5}}};
}

TEST(SameWork, IsNotDoneWithOtherSizes) {
  // The same pieces, as many of each size, the same work in all.
  EXPECT_FALSE(alike({{0.25, 0.125, 0.125}, {{{0, 3}}, {{0, 1}}}, {{1}, {0.5}}},
                     {{0.125, 0.1875, 0.1875}, {{{0, 3}}, {{0, 1}}}, {{1}, {0.5}}}));
  // Pieces of two sizes change places.
  EXPECT_FALSE(alike(two_pieces_at_once(0, 1, {0.25, 0.125}), two_pieces_at_once(1, 0, {0.25, 0.125})));
  EXPECT_TRUE(alike(two_pieces_at_once(0, 1, {0.25, 0.25}), two_pieces_at_once(1, 0, {0.25, 0.25})));
}

// More sizes than kernels count in: only the very same schedule is known to be alike.
TEST(SameWork, OfManySizesNeedsTheSamePieces) {
  std::vector<double> sizes;
  for (int i = 1; i <= 12; ++i) sizes.push_back(i / 64.0);

  EXPECT_TRUE(alike(two_pieces_at_once(10, 11, sizes), two_pieces_at_once(10, 11, sizes)));
  EXPECT_FALSE(alike(two_pieces_at_once(10, 11, sizes), two_pieces_at_once(11, 10, sizes)));
}

TEST(SameWork, IsNotDoneByOtherWorkersTasksOrTimes) {
  const Draft draft = {{0.25, 0.25}, {{{0, 1}}, {{1, 1}}}, {{0.5}, {0.75}}, {0, 1, 1}};
  Draft other = draft;
  other.list_of = {0, 0, 1};
  EXPECT_FALSE(alike(draft, other));
  other.list_of = {0, 1};
  EXPECT_FALSE(alike(draft, other));
  other = draft;
  other.finish[1] = {0.875};
  EXPECT_FALSE(alike(draft, other));
  other = draft;
  other.tasks[0] = {{0, 2}};  // more pieces at once
  EXPECT_FALSE(alike(draft, other));
  EXPECT_FALSE(alike(other, draft));
  other.tasks[0] = {{1, 1}};  // a piece that others have
  EXPECT_FALSE(alike(draft, other));
  EXPECT_TRUE(alike(draft, draft));
}

}  // namespace
}  // namespace coterie::sim
