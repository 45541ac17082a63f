#pragma once

#include <cstdint>
#include <string>

#include "sim/campaign/campaign.hpp"

namespace coterie::sim {

/// Consecutive instances [first, last); none if they are equal.
struct InstanceRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// The share `index` (from 1) of `count` of a campaign. Shares are disjoint and cover the whole campaign; they
/// depend only on the campaign's size and the shard.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  bool whole() const { return count == 1; }
  std::string text() const;  ///< "2/4"
  /// Throws InputError if `text` is not I/N with 1 <= I <= N <= 10^6.
  static Shard parse(const std::string& text);
  /// If there are many configurations, whole ones in turn; if there are few, a part of the instances of each. With
  /// `precision` always whole ones, because all of their instances are needed to know how many are enough.
  InstanceRange share(const Campaign& campaign, std::size_t configuration) const;

  bool operator==(const Shard&) const = default;
};

}  // namespace coterie::sim
