#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/statistics/control_variates.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// The difference of two strategies in a configuration, instance by instance.
class PairedDifference {
 public:
  /// `same`: of one strategy to itself, or of two whose exact means are the same to the last bit. Where such did the
  /// same in every instance, too, they are the same: there is no difference, nor can there be.
  PairedDifference(bool same, Sampling sampling);

  /// As a result with statistics has it.
  explicit PairedDifference(const MeanEstimate& stored) : same_(false), stored_(stored) {}

  bool same() const { return same_; }
  /// `first`: number of the first of these instances.
  void take(std::uint64_t first, std::span<const double> row, std::span<const double> baseline);
  /// `instances`: how many were run.
  MeanEstimate estimate(std::uint64_t instances) const;

 private:
  bool same_;
  ValueMoments moments_;
  std::optional<ControlledMean> dependent_;  // where instances depend on one another
  std::optional<MeanEstimate> stored_;
};

}  // namespace coterie::sim
