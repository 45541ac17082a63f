#include "sim/totals/block_tree.hpp"

#include <bit>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/contract.hpp"

namespace coterie::sim {
namespace {

void add_each(BlockTree::Moments& to, const BlockTree::Moments& more) {
  COTERIE_REQUIRE(to.size() == more.size());
  for (std::size_t series = 0; series < to.size(); ++series) to[series].add(more[series]);
}

}  // namespace

bool BlockTree::has_some(std::uint64_t first, std::uint64_t blocks) const {
  const auto next = nodes_.lower_bound(first);
  if (next != nodes_.end() && next->first < first + blocks) return true;
  if (next == nodes_.begin()) return false;
  const auto before = std::prev(next);
  return before->first + before->second.blocks > first;
}

bool BlockTree::has_all(std::uint64_t first, std::uint64_t blocks) const {
  // Of an aligned node there is either none, or all in one node, or parts in smaller ones that are no whole.
  const auto after = nodes_.upper_bound(first);
  if (after == nodes_.begin()) return false;
  const auto at = std::prev(after);
  return at->first + at->second.blocks >= first + blocks;
}

void BlockTree::add(std::uint64_t first, std::uint64_t blocks, Moments moments) {
  if (!std::has_single_bit(blocks) || first % blocks != 0) throw std::logic_error("no aligned node of blocks");
  if (has_some(first, blocks)) throw std::logic_error("blocks that are there already");
  blocks_ += blocks;
  for (;;) {
    const auto sibling = nodes_.find(first ^ blocks);
    if (sibling == nodes_.end() || sibling->second.blocks != blocks) break;
    Moments other = std::move(sibling->second.moments);
    if (sibling->first > first) other.swap(moments);
    add_each(other, moments);
    moments = std::move(other);
    first &= ~blocks;
    nodes_.erase(sibling);
    blocks *= 2;
  }
  nodes_.emplace(first, Node{blocks, std::move(moments)});
}

void BlockTree::add(const BlockTree& other) {
  for (const auto& [first, node] : other.nodes_) add(first, node.blocks, node.moments);
}

bool BlockTree::has_all(const BlockTree& other) const {
  for (const auto& [first, node] : other.nodes_)
    if (!has_all(first, node.blocks)) return false;
  return true;
}

bool BlockTree::has_some(const BlockTree& other) const {
  for (const auto& [first, node] : other.nodes_)
    if (has_some(first, node.blocks)) return true;
  return false;
}

BlockTree::Moments BlockTree::total() const {
  Moments total;
  for (const auto& [first, node] : nodes_) {
    if (total.empty())
      total = node.moments;
    else
      add_each(total, node.moments);
  }
  return total;
}

}  // namespace coterie::sim
