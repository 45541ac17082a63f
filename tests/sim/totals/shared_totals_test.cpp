#include "sim/totals/shared_totals.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <stdexcept>
#include <thread>

#include "core/errors.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kInstances = 50;

struct Blocks {
  std::vector<double> reference = std::vector<double>(kInstances, 1);
  std::vector<std::vector<double>> ratios;  ///< of two strategies

  explicit Blocks(std::size_t count) : ratios(count) {
    Dice dice("blocks of totals");
    for (auto& block : ratios)
      for (std::size_t i = 0; i < 2 * kInstances; ++i) block.push_back(dice.real(0, 1));
  }
  void add_to(SharedTotals& totals, std::size_t block) const {
    totals.add(block, reference, ratios[block].data(), kInstances);
  }
};

TEST(SharedTotals, AreTheSameInAnyOrder) {
  constexpr std::size_t kBlocks = 13;
  const Blocks blocks(kBlocks);
  SharedTotals forwards(2), even(2), odd(2);
  for (std::size_t block = 0; block < kBlocks; ++block) blocks.add_to(forwards, block);
  for (std::size_t block = kBlocks; block-- > 0;) blocks.add_to(block % 2 == 0 ? even : odd, block);
  RatioTotals together;
  EXPECT_TRUE(together.empty());
  together.add(odd.take());
  together.add(even.take());
  EXPECT_EQ(together, forwards.take());
  EXPECT_EQ(together.histograms()[1].count(), kInstances * kBlocks);
}

// What is taken while others add has of each block everything or nothing.
TEST(SharedTotals, AreTakenWhileThreadsAdd) {
  constexpr std::size_t kBlocks = 2000, kThreads = 3;
  const Blocks blocks(kBlocks);
  SharedTotals alone(2), shared(2);
  for (std::size_t block = 0; block < kBlocks; ++block) blocks.add_to(alone, block);
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (std::size_t block = next++; block < kBlocks; block = next++) blocks.add_to(shared, block);
    });
  RatioTotals together;
  std::uint64_t taken = 0;
  const auto take = [&] {
    const RatioTotals some = shared.take();
    if (some.empty()) return;
    EXPECT_EQ(some.histograms()[0].count(), some.tree().blocks() * kInstances);
    taken += some.tree().blocks();
    together.add(some);
  };
  while (next < kBlocks) take();
  for (std::thread& thread : threads) thread.join();
  shared.settle();
  take();
  EXPECT_EQ(taken, kBlocks);
  EXPECT_EQ(together, alone.take());
  EXPECT_TRUE(shared.take().empty());
}

// A block that is refused leaves nothing behind.
TEST(SharedTotals, CountNothingOfWhatTheyRefuse) {
  const Blocks blocks(2);
  SharedTotals totals(2);
  blocks.add_to(totals, 0);
  EXPECT_THROW(blocks.add_to(totals, 0), std::logic_error);
  std::vector<double> odd = blocks.ratios[1];
  odd[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(totals.add(1, blocks.reference, odd.data(), kInstances), RuntimeError);
  const RatioTotals taken = totals.take();
  EXPECT_EQ(taken.tree().blocks(), 1U);
  EXPECT_EQ(taken.histograms()[0].count(), kInstances);
}

}  // namespace
}  // namespace coterie::sim
