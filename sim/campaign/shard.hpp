#pragma once

#include <cstdint>
#include <string>

#include "sim/campaign/campaign.hpp"

namespace coterie::sim {

/// Consecutive instances [first, last); none where they are equal.
struct InstanceRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// The share `index` (from 1) of `count` of a campaign. Shares are disjoint and together the whole; which is which
/// depends on nothing but the campaign's size and the shard.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  bool whole() const { return count == 1; }
  std::string text() const;  ///< "2/4"
  /// Throws InputError where `text` is not I/N with 1 <= I <= N.
  static Shard parse(const std::string& text);
  /// Whole configurations in turn where there are many; of few, each shard takes a part of the instances of each.
  /// With `precision` always whole ones: all of their instances are needed to know how many are enough.
  InstanceRange share(const Campaign& campaign, std::size_t configuration) const;

  bool operator==(const Shard&) const = default;
};

}  // namespace coterie::sim
