#include "sim/run/ranked_rows.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace coterie::sim {
namespace {

/// The blocks of a rank's rows, of which all but the last of a row must be whole; by configuration.
std::map<std::size_t, std::set<std::uint64_t>> blocks_of(const std::vector<MissingRows>& share, std::uint64_t end) {
  std::map<std::size_t, std::set<std::uint64_t>> blocks;
  for (const MissingRows& rows : share) {
    EXPECT_EQ(rows.first_instance % kBlockInstances, 0u);
    const std::uint64_t last = rows.first_instance + rows.instances;
    EXPECT_TRUE(last % kBlockInstances == 0 || last == end);
    for (std::uint64_t i = rows.first_instance; i < last; i += kBlockInstances)
      EXPECT_TRUE(blocks[rows.configuration].insert(i / kBlockInstances).second);
  }
  return blocks;
}

TEST(ShareOfRank, IsDisjointEvenAndAllTogether) {
  constexpr std::uint64_t kBlocks = 11;
  constexpr std::uint64_t kInstances = kBlocks * kBlockInstances - 7;
  for (const std::size_t configurations : {1u, 5u, 24u, 100u})
    for (const std::uint64_t ranks : {1u, 2u, 3u}) {
      std::vector<MissingRows> missing;
      for (std::size_t i = 0; i < configurations; ++i) missing.push_back({i, 0, kInstances, {0, 2}, i % 2 == 0});
      std::set<std::pair<std::size_t, std::uint64_t>> all;
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const std::vector<MissingRows> share = share_of_rank(missing, rank, ranks);
        for (const MissingRows& rows : share) {
          EXPECT_EQ(rows.strategies, missing[rows.configuration].strategies);
          EXPECT_EQ(rows.reference, missing[rows.configuration].reference);
        }
        std::size_t mine = 0;
        for (const auto& [configuration, blocks] : blocks_of(share, kInstances))
          for (const std::uint64_t block : blocks) {
            EXPECT_TRUE(all.emplace(configuration, block).second);
            ++mine;
          }
        EXPECT_NEAR(static_cast<double>(mine * ranks), static_cast<double>(configurations * kBlocks),
                    static_cast<double>(ranks * kBlocks));
      }
      EXPECT_EQ(all.size(), configurations * kBlocks);
    }
}

TEST(ShareOfRank, MayBeNothing) {
  EXPECT_TRUE(share_of_rank({}, 0, 2).empty());
  const std::vector<MissingRows> one = {{0, 0, 10, {0}, true}};
  std::size_t shares = 0;
  for (std::uint64_t rank = 0; rank < 3; ++rank) shares += share_of_rank(one, rank, 3).size();
  EXPECT_EQ(shares, 1u);
}

}  // namespace
}  // namespace coterie::sim
