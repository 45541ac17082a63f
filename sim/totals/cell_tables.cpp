#include "sim/totals/cell_tables.hpp"

#include <algorithm>
#include <numeric>

#include "core/contract.hpp"

namespace coterie::sim {

CellTables::CellTables(std::size_t strategies, const LaneLoops& loops)
    : loops_(loops), cells_(strategies * RatioHistogram::kCounts) {}

void CellTables::add(const double* ratios, std::size_t stride, std::size_t instances) {
  COTERIE_REQUIRE(instances <= kMostAtOnce && has_room());
  turns_ += (instances + kTurns - 1) / kTurns;
  std::array<std::int32_t, kMostAtOnce> found;
  for (Cell* cells = cells_.data(); cells != cells_.data() + cells_.size(); cells += RatioHistogram::kCounts) {
    loops_.find_cells(ratios, instances, RatioHistogram::kCells, found.data());
    ratios += stride;
    std::size_t i = 0;
    for (; i + kTurns <= instances; i += kTurns)
      for (std::size_t turn = 0; turn < kTurns; ++turn) ++cells[found[i + turn]][turn];
    for (; i < instances; ++i) ++cells[found[i]][i % kTurns];
  }
}

void CellTables::move_to(std::span<RatioHistogram> histograms) {
  COTERIE_REQUIRE(histograms.size() * RatioHistogram::kCounts == cells_.size());
  const Cell* cell = cells_.data();
  for (RatioHistogram& histogram : histograms)
    for (std::size_t i = 0; i < RatioHistogram::kCounts; ++i, ++cell)
      histogram.add(i, std::accumulate(cell->begin(), cell->end(), std::uint64_t{0}));
  std::fill(cells_.begin(), cells_.end(), Cell{});
  turns_ = 0;
}

}  // namespace coterie::sim
