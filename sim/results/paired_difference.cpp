#include "sim/results/paired_difference.hpp"

#include <algorithm>
#include <cmath>

namespace coterie::sim {

bool may_be_the_same(const StrategyFacts& one, const StrategyFacts& other) {
  const auto agree = [](double a, double b) {
    return a == b || std::abs(a - b) <= kRounding * std::abs(b) || (std::isnan(a) && std::isnan(b));
  };
  return !std::isnan(one.expected) && agree(one.expected, other.expected) && agree(one.chunks, other.chunks) &&
         agree(one.chunk_size, other.chunk_size);
}

MeanEstimate difference_of(const ValueMoments& moments, bool same) {
  if (same && moments.count > 0 && std::max(-moments.least, moments.greatest) <= kRounding) return {0, 0, kInfinity};
  return summary_of(moments).estimate();
}

void PairedDifference::take(std::span<const double> row, std::span<const double> baseline) {
  RowMoments piece;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) continue;
    piece.sum(row[i] - baseline[i]);
  }
  piece.end_of_sum();
  for (std::size_t i = 0; i < row.size(); ++i) piece.deviate(row[i] - baseline[i]);
  moments_.add(piece.moments());
}

MeanEstimate PairedDifference::estimate() const { return stored_ ? *stored_ : difference_of(moments_, same_); }

}  // namespace coterie::sim
