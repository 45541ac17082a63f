#include "sim/totals/cell_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

// More of the same ratio than a narrow count holds, among others; each set of loops; blocks of any length.
TEST(CellTables, CountWhatHistogramsHold) {
  constexpr std::size_t kStrategies = 3, kStride = 1030;
  for (const LaneLoops* loops : usable_lane_loops()) {
    Dice dice("cells");
    CellTables tables(kStrategies, *loops);
    std::vector<RatioHistogram> histograms(kStrategies), expected(kStrategies);
    std::vector<double> ratios(kStrategies * kStride);
    std::size_t moves = 0;
    for (int block = 0; block < 700; ++block) {
      const std::size_t instances = dice.whole(1, CellTables::kMostAtOnce);
      for (std::size_t s = 0; s < kStrategies; ++s)
        for (std::size_t i = 0; i < instances; ++i) {
          const double u = dice.real(0, 1);
          const double ratio = s == 0 ? 1 : s == 1 ? u : u < 0.9 ? std::floor(5 * u) / 4 : 3 * u - 2.85;
          ratios[s * kStride + i] = ratio;
          expected[s].add(static_cast<std::size_t>(std::floor(std::clamp(ratio, 0.0, 1.0) * RatioHistogram::kCells)),
                          1);
        }
      if (!tables.has_room()) {
        tables.move_to(histograms);
        ++moves;
      }
      tables.add(ratios.data(), kStride, instances);
    }
    tables.move_to(histograms);
    EXPECT_EQ(histograms, expected) << loops->name;
    EXPECT_GT(moves, 0U);
    tables.move_to(histograms);
    EXPECT_EQ(histograms, expected) << "what was moved is gone";
  }
}

}  // namespace
}  // namespace coterie::sim
