#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/totals/value_moments.hpp"

namespace coterie::sim {

/// Moments of several series of values, by blocks that arrive in any order. Two neighbours are merged if they are the
/// two halves of an aligned node: 2^k blocks, the first of which is a multiple of 2^k. So the nodes, and every bit of
/// their moments, depend only on the set of blocks.
class BlockTree {
 public:
  using Moments = std::vector<ValueMoments>;  ///< by series
  struct Node {
    std::uint64_t blocks;
    Moments moments;
    bool operator==(const Node&) const = default;
  };

  /// Throws std::logic_error if some of these blocks are already there, or are not an aligned node.
  void add(std::uint64_t first, std::uint64_t blocks, Moments moments);
  void add(const BlockTree& other);

  /// Nodes by first block: as few as possible.
  const std::map<std::uint64_t, Node>& nodes() const { return nodes_; }
  std::uint64_t blocks() const { return blocks_; }
  /// Whether all, or some, blocks of the other tree are here.
  bool has_all(const BlockTree& other) const;
  bool has_some(const BlockTree& other) const;
  /// Moments of all blocks together; empty if there are none.
  Moments total() const;

  bool operator==(const BlockTree&) const = default;

 private:
  bool has_all(std::uint64_t first, std::uint64_t blocks) const;
  bool has_some(std::uint64_t first, std::uint64_t blocks) const;

  std::map<std::uint64_t, Node> nodes_;
  std::uint64_t blocks_ = 0;
};

}  // namespace coterie::sim
