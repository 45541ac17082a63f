#include "sim/kernels/same_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/kernel.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

using Orders = std::vector<std::vector<std::uint32_t>>;  // the pieces of each worker

/// Pieces of sizes from `sizes` in turn; each worker runs its own, back to back.
Schedule schedule_of(const Orders& orders, std::span<const double> sizes, std::size_t pieces, double startup) {
  std::vector<double> boundaries = {0};
  for (std::size_t i = 0; i < pieces; ++i) boundaries.push_back(boundaries.back() + sizes[i % sizes.size()]);
  TaskLists lists;
  for (const auto& order : orders) {
    std::vector<double> finish;
    for (const std::uint32_t piece : order) {
      lists.add({piece, 1});
      finish.push_back((finish.empty() ? 0 : finish.back()) + sizes[piece % sizes.size()] + startup);
    }
    lists.close(std::move(finish));
  }
  return Schedule(std::move(boundaries), std::move(lists));
}

Orders random_orders(Dice& dice, std::size_t pieces) {
  Orders orders(dice.whole(1, 5));
  for (auto& order : orders)
    for (std::size_t k = dice.whole(0, pieces); k > 0; --k)
      order.push_back(static_cast<std::uint32_t>(dice.whole(0, pieces - 1)));
  return orders;
}

std::vector<std::uint32_t> identity(std::size_t pieces) {
  std::vector<std::uint32_t> names(pieces);
  std::iota(names.begin(), names.end(), 0u);
  return names;
}

Orders renamed(Orders orders, const std::vector<std::uint32_t>& names) {
  for (auto& order : orders)
    for (std::uint32_t& piece : order) piece = names[piece];
  return orders;
}

/// Whether both kernels say the same for capacities at and beside the finish times of the first schedule.
bool kernels_agree(const Schedule& a, const Schedule& b, Dice& dice) {
  const auto kernel_of_a = compile(a);
  const auto kernel_of_b = compile(b);
  KernelScratch scratch;
  for (int round = 0; round < 40; ++round) {
    std::vector<double> capacities(a.workers());
    for (std::size_t w = 0; w < capacities.size(); ++w) {
      const FinishTimes& finish = a.tasks(w).finish;
      const double time = finish.empty() ? 0 : finish[dice.whole(0, finish.size() - 1)];
      capacities[w] = dice.coin() ? time : std::nextafter(time, dice.coin() ? 0 : 100);
    }
    if (kernel_of_a->completed_work(capacities, 0, scratch) != kernel_of_b->completed_work(capacities, 0, scratch))
      return false;
  }
  return true;
}

TEST(SameWork, IsDoneWithPiecesOfTheSameSizesUnderOtherNames) {
  Dice dice("renamed pieces");
  for (int round = 0; round < 500; ++round) {
    const std::size_t pieces = 2 * dice.whole(1, 40);
    const std::vector<double> sizes = dice.coin() ? std::vector{0.25} : std::vector{0.25, 0.125};
    const Orders orders = random_orders(dice, pieces);
    std::vector<std::uint32_t> names = identity(pieces);
    for (std::size_t swaps = 0; swaps < pieces; ++swaps) {  // of pieces of one size
      const std::size_t i = dice.whole(0, pieces - 1);
      const std::size_t j = dice.whole(0, (pieces - 1 - i) / 2) * 2 + i;
      std::swap(names[i], names[j]);
    }
    const Schedule schedule = schedule_of(orders, sizes, pieces, 0.125);
    const Schedule other = schedule_of(renamed(orders, names), sizes, pieces, 0.125);

    ASSERT_TRUE(complete_the_same_work(schedule, other)) << round;
    ASSERT_TRUE(kernels_agree(schedule, other, dice)) << round;
  }
}

// Whatever is changed: where the answer is yes, kernels must agree; where kernels differ, it must be no.
TEST(SameWork, IsNotClaimedWhereKernelsDiffer) {
  Dice dice("changed schedules");
  std::size_t claimed = 0;
  std::size_t differing = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::size_t pieces = dice.whole(1, 6);
    const std::vector<double> sizes = dice.coin() ? std::vector{0.25} : std::vector{0.25, 0.125};
    Orders orders = random_orders(dice, pieces);
    const Schedule schedule = schedule_of(orders, sizes, pieces, 0.125);
    auto& order = orders[dice.whole(0, orders.size() - 1)];
    if (!order.empty()) order[dice.whole(0, order.size() - 1)] = static_cast<std::uint32_t>(dice.whole(0, pieces - 1));
    if (dice.whole(0, 3) == 0) std::swap(orders.front(), orders.back());
    const Schedule changed = schedule_of(orders, sizes, pieces, 0.125);
    const bool same = complete_the_same_work(schedule, changed);
    const bool agree = kernels_agree(schedule, changed, dice);
    claimed += same ? 1 : 0;
    differing += agree ? 0 : 1;

    ASSERT_TRUE(agree || !same) << round;
  }
  EXPECT_GT(claimed, 400u);  // or nothing was tried
  EXPECT_GT(differing, 400u);
}

TEST(SameWork, IsNotDoneWithOtherTimesSizesOrWorkers) {
  const std::vector<double> sizes = {0.25};
  const std::vector<double> other_sizes = {0.25, 0.125};
  const Orders orders = {{0, 1}, {1, 2}};
  const Schedule schedule = schedule_of(orders, sizes, 4, 0.125);

  EXPECT_TRUE(complete_the_same_work(schedule, schedule_of({{3, 1}, {1, 0}}, sizes, 4, 0.125)));
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of({{3, 1}, {2, 0}}, sizes, 4, 0.125)));  // nothing shared
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of({{0, 1}, {2, 1}}, sizes, 4, 0.125)));  // shared, but later
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of(orders, sizes, 4, 0.25)));
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of(orders, sizes, 3, 0.125)));
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of(orders, other_sizes, 4, 0.125)));
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of({{0, 1}}, sizes, 4, 0.125)));
}

// More sizes than kernels count in: only the very same schedule is known to be alike.
TEST(SameWork, OfManySizesNeedsTheSamePieces) {
  const std::vector<double> sizes = {0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19};
  const Orders orders = {{0, 1, 2, 3}, {3, 2, 9, 8}};
  const Schedule schedule = schedule_of(orders, sizes, 20, 0.125);

  EXPECT_TRUE(complete_the_same_work(schedule, schedule_of(orders, sizes, 20, 0.125)));
  EXPECT_FALSE(complete_the_same_work(schedule, schedule_of({{10, 1, 2, 3}, {3, 2, 9, 8}}, sizes, 20, 0.125)));
}

}  // namespace
}  // namespace coterie::sim
