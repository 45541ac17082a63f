#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/totals/block_tree.hpp"
#include "sim/totals/ratio_histogram.hpp"

namespace coterie::sim {

/// The series whose moments the totals of a configuration hold: the reference, the ratio of each strategy, and the
/// difference of each pair of ratios, in the same instances.
struct TotalSeries {
  std::size_t strategies = 0;

  std::size_t count() const { return 1 + strategies + strategies * (strategies - 1) / 2; }
  static std::size_t reference() { return 0; }
  static std::size_t ratio(std::size_t strategy) { return 1 + strategy; }
  /// The series of the ratio of `a` minus that of `b`, for a < b.
  std::size_t difference(std::size_t a, std::size_t b) const {
    return 1 + strategies + a * (2 * strategies - a - 1) / 2 + (b - a - 1);
  }
  /// That difference for any pair.
  ValueMoments difference(const BlockTree::Moments& moments, std::size_t a, std::size_t b) const;
};

/// What is kept of the instances of one configuration instead of single values: moments by blocks, and the distribution
/// of the ratios of each strategy. The same for any order of blocks, and any order in which totals are merged.
class RatioTotals {
 public:
  RatioTotals() = default;
  RatioTotals(BlockTree tree, std::vector<RatioHistogram> histograms)
      : tree_(std::move(tree)), histograms_(std::move(histograms)) {}

  /// Throws std::logic_error if some blocks are in both.
  void add(const RatioTotals& other);

  bool empty() const { return tree_.blocks() == 0; }
  const BlockTree& tree() const { return tree_; }
  const std::vector<RatioHistogram>& histograms() const { return histograms_; }  ///< by strategy

  bool operator==(const RatioTotals&) const = default;

 private:
  BlockTree tree_;
  std::vector<RatioHistogram> histograms_;
};

/// Moments by TotalSeries of the ratios of a block: of the first strategy, at distance `stride` of the next, and so on.
/// Throws RuntimeError if a value is not finite.
BlockTree::Moments moments_of_block(std::span<const double> reference, const double* ratios, std::size_t stride,
                                    std::size_t strategies, const LaneLoops& loops = best_lane_loops());

}  // namespace coterie::sim
