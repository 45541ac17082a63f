#include "sim/results/paired_difference.hpp"

#include <cmath>

namespace coterie::sim {

bool may_be_the_same(const StrategyFacts& one, const StrategyFacts& other) {
  const auto agree = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return one.expected == other.expected && agree(one.chunks, other.chunks) && agree(one.chunk_size, other.chunk_size);
}

void PairedDifference::take(std::span<const double> row, std::span<const double> baseline) {
  RowMoments piece;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) continue;
    same_ = same_ && row[i] == baseline[i];
    piece.sum(row[i] - baseline[i]);
  }
  piece.end_of_sum();
  for (std::size_t i = 0; i < row.size(); ++i) piece.deviate(row[i] - baseline[i]);
  moments_.add(piece.moments());
}

MeanEstimate PairedDifference::estimate() const {
  if (stored_) return *stored_;
  const double freedom = moments_.count - 1;
  if (same_) return {0, 0, freedom};
  const Summary summary = summary_of(moments_, ValueRange::kDifference);
  return {summary.mean, summary.standard_error, freedom};
}

}  // namespace coterie::sim
