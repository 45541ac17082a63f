#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/kernels/lane_loops.hpp"
#include "sim/totals/ratio_histogram.hpp"

namespace coterie::sim {

/// The ratios counted by one thread, by strategy, before they are added to histograms. Each cell has several counters
/// used in turn: ratios are often alike, and incrementing the same counter again would have to wait. They are narrow,
/// to fit in the cache.
class CellTables {
 public:
  CellTables(std::size_t strategies, const LaneLoops& loops);

  /// `ratios` of the first strategy, at distance `stride` those of the next, and so on. At most kMostAtOnce instances.
  void add(const double* ratios, std::size_t stride, std::size_t instances);
  /// Whether add() may be called again before move_to().
  bool has_room() const { return turns_ + kMostAtOnce / kTurns <= kMostTurns; }
  /// Adds the counts to the histograms of the same strategies, and clears them.
  void move_to(std::span<RatioHistogram> histograms);

  static constexpr std::size_t kMostAtOnce = 1024;

 private:
  using Count = std::uint16_t;
  static constexpr std::size_t kTurns = 4;
  static constexpr std::size_t kMostTurns = 65535;
  using Cell = std::array<Count, kTurns>;

  const LaneLoops& loops_;
  std::vector<Cell> cells_;  ///< strategy x cell
  std::size_t turns_ = 0;    ///< no count is greater
};

}  // namespace coterie::sim
