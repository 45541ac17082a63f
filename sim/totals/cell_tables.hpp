#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/kernels/lane_loops.hpp"
#include "sim/totals/ratio_histogram.hpp"

namespace coterie::sim {

/// What one thread counts of ratios, by strategy, until it goes to histograms. Each cell has several counts that take
/// turns: ratios are often alike, and the same count again would have to wait for itself. Narrow ones, for the cache.
class CellTables {
 public:
  CellTables(std::size_t strategies, const LaneLoops& loops);

  /// `ratios` of the first strategy, `stride` behind them those of the next, and so on. At most kMostAtOnce instances.
  void add(const double* ratios, std::size_t stride, std::size_t instances);
  /// Whether add() may be called again before move_to().
  bool has_room() const { return turns_ + kMostAtOnce / kTurns <= kMostTurns; }
  /// To those of the same strategies; nothing is left.
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
