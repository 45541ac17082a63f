#include "sim/totals/block_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

std::vector<std::uint64_t> bits_of(const BlockTree& tree) {
  std::vector<std::uint64_t> bits;
  for (const auto& [first, node] : tree.nodes()) {
    bits.insert(bits.end(), {first, node.blocks});
    for (const ValueMoments& moments : node.moments)
      for (const double value : {moments.count, moments.mean, moments.squares, moments.least, moments.greatest})
        bits.push_back(std::bit_cast<std::uint64_t>(value));
  }
  return bits;
}

/// Two series of some values; a block has them for as many instances as it likes.
std::vector<BlockTree::Moments> drawn_blocks(Dice& dice, std::size_t count) {
  std::vector<BlockTree::Moments> blocks;
  for (std::size_t block = 0; block < count; ++block) {
    std::vector<double> first(dice.whole(1, 20)), second;
    for (double& value : first) second.push_back(std::pow(value = dice.real(-1, 1), 3) + 7);
    blocks.push_back({moments_of(first), moments_of(second)});
  }
  return blocks;
}

std::vector<std::size_t> shuffled(Dice& dice, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i)
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(dice.whole(0, i)), i);
  return order;
}

// Threads take blocks in any order; parts, ranks and shards hold any of them; they are put together in any order.
TEST(BlockTree, HasTheSameBitsForAnyOrderAndAnySplit) {
  Dice dice("block trees");
  for (int round = 0; round < 200; ++round) {
    const std::vector<BlockTree::Moments> blocks = drawn_blocks(dice, dice.whole(1, 130));
    BlockTree in_order;
    for (std::size_t block = 0; block < blocks.size(); ++block) in_order.add(block, 1, blocks[block]);
    std::vector<BlockTree> parts(dice.whole(1, 9));
    for (const std::size_t block : shuffled(dice, blocks.size()))
      parts[dice.whole(0, parts.size() - 1)].add(block, 1, blocks[block]);
    BlockTree together;
    for (const std::size_t part : shuffled(dice, parts.size())) together.add(parts[part]);
    EXPECT_EQ(bits_of(together), bits_of(in_order));
    EXPECT_EQ(together.blocks(), blocks.size());
  }
}

TEST(BlockTree, HoldsAsFewNodesAsThereCanBe) {
  Dice dice("few nodes");
  const std::vector<BlockTree::Moments> blocks = drawn_blocks(dice, 300);
  BlockTree tree;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    tree.add(block, 1, blocks[block]);
    EXPECT_EQ(tree.nodes().size(), static_cast<std::size_t>(std::popcount(block + 1)));
  }
}

// Blocks 1 to 6: 1, 2-3, 4-5, 6. Whatever is put together is the left half with the right one.
TEST(BlockTree, PutsTogetherTheHalvesOfAlignedNodes) {
  Dice dice("halves");
  const std::vector<BlockTree::Moments> blocks = drawn_blocks(dice, 7);
  BlockTree tree;
  for (const std::size_t block : {6, 3, 5, 1, 4, 2}) tree.add(block, 1, blocks[block]);
  const auto both = [&](std::size_t left, std::size_t right) {
    BlockTree::Moments sum = blocks[left];
    for (std::size_t series = 0; series < 2; ++series) sum[series].add(blocks[right][series]);
    return sum;
  };
  const std::map<std::uint64_t, BlockTree::Node> wanted = {
      {1, {1, blocks[1]}}, {2, {2, both(2, 3)}}, {4, {2, both(4, 5)}}, {6, {1, blocks[6]}}};
  EXPECT_EQ(tree.nodes(), wanted);
}

TEST(BlockTree, TotalIsThatOfAllValues) {
  Dice dice("totals");
  for (int round = 0; round < 100; ++round) {
    BlockTree tree;
    std::vector<double> all;
    const std::size_t first = dice.whole(0, 40);
    const std::size_t last = first + dice.whole(1, 70);
    for (std::size_t block = first; block < last; ++block) {
      std::vector<double> values(dice.whole(1, 30));
      for (double& value : values) value = dice.coin() ? 1 : dice.real(0, 1);
      all.insert(all.end(), values.begin(), values.end());
      tree.add(block, 1, {moments_of(values)});
    }
    long double sum = 0;
    for (const double value : all) sum += value;
    const long double mean = sum / static_cast<long double>(all.size());
    long double squares = 0;
    for (const double value : all) {
      squares += (value - mean) * (value - mean);
    }
    const ValueMoments total = tree.total().front();
    EXPECT_EQ(total.count, static_cast<double>(all.size()));
    EXPECT_NEAR(total.mean, static_cast<double>(mean), 1e-14);
    EXPECT_NEAR(total.squares, static_cast<double>(squares), 1e-12 * static_cast<double>(all.size()));
    EXPECT_EQ(total.least, *std::min_element(all.begin(), all.end()));
    EXPECT_EQ(total.greatest, *std::max_element(all.begin(), all.end()));
  }
  EXPECT_TRUE(BlockTree().total().empty());
}

TEST(BlockTree, KnowsWhichBlocksItHas) {
  Dice dice("coverage");
  for (int round = 0; round < 500; ++round) {
    const auto drawn = [&](double share) {
      std::set<std::uint64_t> chosen;
      for (std::uint64_t block = 0; block < 40; ++block)
        if (dice.real(0, 1) < share) chosen.insert(block);
      return chosen;
    };
    const auto tree_of = [](const std::set<std::uint64_t>& blocks) {
      BlockTree tree;
      for (const std::uint64_t block : blocks) tree.add(block, 1, {moments_of(std::vector<double>{1})});
      return tree;
    };
    const std::set<std::uint64_t> mine = drawn(dice.coin() ? 0.9 : 0.2);
    const std::set<std::uint64_t> others = drawn(0.05);
    const auto is_mine = [&](std::uint64_t block) { return mine.contains(block); };
    EXPECT_EQ(tree_of(mine).has_all(tree_of(others)), std::all_of(others.begin(), others.end(), is_mine));
    EXPECT_EQ(tree_of(mine).has_some(tree_of(others)), std::any_of(others.begin(), others.end(), is_mine));
  }
}

TEST(BlockTree, TakesNoBlockTwice) {
  const BlockTree::Moments some = {moments_of(std::vector<double>{1, 2})};
  BlockTree tree;
  tree.add(4, 4, some);
  EXPECT_THROW(tree.add(5, 1, some), std::logic_error);
  EXPECT_THROW(tree.add(4, 4, some), std::logic_error);
  EXPECT_THROW(tree.add(0, 8, some), std::logic_error);
  EXPECT_THROW(tree.add(2, 4, some), std::logic_error);  // no aligned node
  EXPECT_THROW(tree.add(0, 3, some), std::logic_error);
  EXPECT_EQ(tree.blocks(), 4U);
}

}  // namespace
}  // namespace coterie::sim
