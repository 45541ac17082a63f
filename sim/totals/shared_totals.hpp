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

/// Totals to which several threads add blocks. They are the same for any number of threads and any order.
class SharedTotals {
 public:
  explicit SharedTotals(std::size_t strategies) : strategies_(strategies), histograms_(strategies) {}

  /// Adds a block: `ratios` of the first strategy, at distance `stride` those of the next, and so on. Throws like
  /// moments_of_block() does.
  void add(std::uint64_t block, std::span<const double> reference, const double* ratios, std::size_t stride);
  /// The totals of the blocks added since the last call.
  RatioTotals take();
  /// Frees the memory of each thread; call it when nothing more is added.
  void settle();

 private:
  void move_all();

  const LaneLoops& loops_ = best_lane_loops();
  const std::size_t strategies_;
  std::shared_mutex taking_;  ///< alone: by who takes; shared: by who adds
  std::mutex mutex_;          ///< of what follows, but for what a thread has for itself
  std::map<std::thread::id, CellTables> tables_;
  BlockTree tree_;
  std::vector<RatioHistogram> histograms_;
};

}  // namespace coterie::sim
