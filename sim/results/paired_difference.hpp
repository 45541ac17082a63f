#pragma once

#include <optional>
#include <span>

#include "sim/model_interface/model.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// Whether two strategies may have made the same schedule: as many chunks of one size, and the same exact mean, up to
/// rounding.
bool may_be_the_same(const StrategyFacts& one, const StrategyFacts& other);

/// The mean difference of two strategies. `same`: a strategy compared with itself, or two that may_be_the_same. If
/// these also did the same in every instance, up to rounding, they are: the difference is exactly 0.
MeanEstimate difference_of(const ValueMoments& moments, bool same);

/// The difference of two strategies in a configuration, instance by instance.
class PairedDifference {
 public:
  explicit PairedDifference(bool same) : same_(same) {}

  /// As stored in a result with statistics.
  PairedDifference(bool same, MeanEstimate stored) : same_(same), stored_(stored) {
    if (same && stored.mean == 0 && stored.standard_error == 0) stored_->freedom = kInfinity;
  }

  /// The same instances of both.
  void take(std::span<const double> row, std::span<const double> baseline);
  MeanEstimate estimate() const;

 private:
  bool same_;
  ValueMoments moments_;
  std::optional<MeanEstimate> stored_;
};

}  // namespace coterie::sim
