#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <thread>
#include <vector>

#include "sim/totals/cell_tables.hpp"
#include "sim/totals/ratio_totals.hpp"

namespace coterie::sim {

/// Totals to which several threads add blocks. They are the same for any threads and order.
class SharedTotals {
 public:
  explicit SharedTotals(std::size_t strategies) : histograms_(strategies) {}

  /// A block: `ratios` of the first strategy, `stride` behind them those of the next, and so on. Throws as
  /// moments_of_block() does.
  void add(std::uint64_t block, std::span<const double> reference, const double* ratios, std::size_t stride);
  /// Of the blocks that were added since the last time.
  RatioTotals take();
  /// Frees what threads have for themselves; when nothing more is added.
  void settle();

 private:
  void move_all();

  const LaneLoops& loops_ = best_lane_loops();
  std::shared_mutex taking_;  ///< alone: by who takes; shared: by who adds
  std::mutex mutex_;          ///< of what follows, but for what a thread has for itself
  std::map<std::thread::id, CellTables> tables_;
  BlockTree tree_;
  std::vector<RatioHistogram> histograms_;
};

}  // namespace coterie::sim
