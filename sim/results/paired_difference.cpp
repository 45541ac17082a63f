#include "sim/results/paired_difference.hpp"

#include <cmath>
#include <vector>

namespace coterie::sim {

bool may_be_the_same(const StrategyFacts& one, const StrategyFacts& other) {
  const auto agree = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return one.expected == other.expected && agree(one.chunks, other.chunks) && agree(one.chunk_size, other.chunk_size);
}

PairedDifference::PairedDifference(bool same, Sampling sampling) : same_(same) {
  if (sampling != Sampling::kRandom)
    dependent_.emplace(std::vector<BoundedNumber>(), sampling, 0, ValueRange::kDifference);
}

void PairedDifference::take(std::uint64_t first, std::span<const double> row, std::span<const double> baseline) {
  RowMoments piece;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) continue;
    same_ = same_ && row[i] == baseline[i];
    const double difference = row[i] - baseline[i];
    if (!dependent_)
      piece.sum(difference);
    else if (!std::isnan(difference))
      dependent_->add(first + i, difference, {});
  }
  piece.end_of_sum();
  for (std::size_t i = 0; i < row.size() && !dependent_; ++i) piece.deviate(row[i] - baseline[i]);
  moments_.add(piece.moments());
}

MeanEstimate PairedDifference::estimate(std::uint64_t instances) const {
  const double freedom = static_cast<double>(instances) - 1;
  if (stored_) return {stored_->mean, stored_->standard_error, freedom, stored_->standard_error};
  if (same_) return {0, 0, freedom, 0};
  if (dependent_) return dependent_->plain();
  const Summary summary = summary_of(moments_, ValueRange::kDifference);
  return {summary.mean, summary.standard_error, freedom, summary.standard_error};
}

}  // namespace coterie::sim
