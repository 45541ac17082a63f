#include "sim/totals/ratio_histogram.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/contract.hpp"
#include "sim/totals/quantile_of.hpp"

namespace coterie::sim {

RatioHistogram::RatioHistogram(std::vector<std::uint64_t> counts) : counts_(std::move(counts)) {
  COTERIE_REQUIRE(counts_.size() == kCounts);
}

void RatioHistogram::add(const RatioHistogram& other) {
  for (std::size_t i = 0; i < kCounts; ++i) counts_[i] += other.counts_[i];
}

std::uint64_t RatioHistogram::count() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

/// Of the ratios in ascending order, that at `place`: those of a cell are taken to lie in its middle, one after the
/// other.
double RatioHistogram::ratio_at(std::uint64_t place, double least, double greatest) const {
  const std::uint64_t all = count();
  if (place == 0) return least;
  if (place + 1 == all) return greatest;
  std::size_t cell = 0;
  std::uint64_t before = 0;
  while (before + counts_[cell] <= place) before += counts_[cell++];
  const double low = std::max(least, static_cast<double>(cell) * kWidth);
  const double high = std::min(greatest, cell == kCells ? greatest : static_cast<double>(cell + 1) * kWidth);
  if ((cell == 0 && least < 0) || (cell == kCells && greatest > 1)) return std::numeric_limits<double>::quiet_NaN();
  const double part = (static_cast<double>(place - before) + 0.5) / static_cast<double>(counts_[cell]);
  return low + part * (high - low);
}

double RatioHistogram::quantile(double probability, double least, double greatest) const {
  COTERIE_REQUIRE(probability >= 0 && probability <= 1);
  const std::uint64_t all = count();
  if (all == 0) return std::numeric_limits<double>::quiet_NaN();
  return quantile_of(all, probability, [&](std::uint64_t place) { return ratio_at(place, least, greatest); });
}

}  // namespace coterie::sim
