#pragma once

#include <optional>
#include <span>

#include "sim/model_interface/model.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// Whether two strategies may have made the same schedule: as many chunks of one size, and the same exact mean to the
/// last bit.
bool may_be_the_same(const StrategyFacts& one, const StrategyFacts& other);

/// The difference of two strategies in a configuration, instance by instance.
class PairedDifference {
 public:
  /// `same`: a strategy compared with itself, or two that may_be_the_same. If these also did the same in every
  /// instance, they count as identical: there is no difference, and no uncertainty about it.
  explicit PairedDifference(bool same) : same_(same) {}

  /// As stored in a result with statistics.
  explicit PairedDifference(const MeanEstimate& stored) : same_(false), stored_(stored) {}

  /// The same instances of both.
  void take(std::span<const double> row, std::span<const double> baseline);
  MeanEstimate estimate() const;

 private:
  bool same_;
  ValueMoments moments_;
  std::optional<MeanEstimate> stored_;
};

}  // namespace coterie::sim
