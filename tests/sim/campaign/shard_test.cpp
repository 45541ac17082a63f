#include "sim/campaign/shard.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace coterie::sim {
namespace {

TEST(Shard, ReadsAndRefuses) {
  EXPECT_EQ(Shard::parse("2/4"), (Shard{2, 4}));
  EXPECT_EQ(Shard::parse("1/1").text(), "1/1");
  for (const char* text : {"", "/", "1", "0/4", "5/4", "-1/4", "1/0", "1/4/2", "a/b", "1.5/4", "1/1000001"})
    EXPECT_THROW(Shard::parse(text), InputError) << text;
}

RC_GTEST_PROP(Shard, SharesAreDisjointAndTogetherTheWhole, ()) {
  Campaign campaign;
  campaign.instances = *rc::gen::inRange<std::uint64_t>(1, 5000);
  campaign.configurations.resize(*rc::gen::inRange<std::size_t>(1, 60));
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 12);
  for (std::size_t configuration = 0; configuration < campaign.configurations.size(); ++configuration) {
    std::vector<InstanceRange> shares;
    for (std::uint64_t index = 1; index <= count; ++index) {
      const InstanceRange share = Shard{index, count}.share(campaign, configuration);
      RC_ASSERT(share.first <= share.last);
      if (share.first < share.last) shares.push_back(share);
    }
    std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::uint64_t end = 0;
    for (const InstanceRange& share : shares) {
      RC_ASSERT(share.first == end);
      end = share.last;
    }
    RC_ASSERT(end == campaign.instances);
  }
}

RC_GTEST_PROP(Shard, SharesDifferByLittle, ()) {
  Campaign campaign;
  campaign.instances = *rc::gen::inRange<std::uint64_t>(100, 5000);
  campaign.configurations.resize(*rc::gen::inRange<std::size_t>(1, 100));
  const auto count = *rc::gen::inRange<std::uint64_t>(2, 8);
  const double even = static_cast<double>(campaign.total_instances()) / static_cast<double>(count);
  for (std::uint64_t index = 1; index <= count; ++index) {
    std::uint64_t size = 0;
    for (std::size_t configuration = 0; configuration < campaign.configurations.size(); ++configuration) {
      const InstanceRange share = Shard{index, count}.share(campaign, configuration);
      size += share.last - share.first;
    }
    RC_ASSERT(std::abs(static_cast<double>(size) - even) <= 0.125 * even + 1);
  }
}

}  // namespace
}  // namespace coterie::sim
