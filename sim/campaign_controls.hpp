#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sim/campaign.hpp"
#include "sim/capacity_laws.hpp"
#include "sim/control_variates.hpp"

namespace coterie::sim {

/// The mean ratios of one configuration, by control where the campaign says so, by replicates where it samples so.
class ControlledRatios {
 public:
  /// `controls`: null where nothing is controlled. `facts`: by strategy.
  ControlledRatios(const Controls* controls, std::span<const StrategyFacts> facts, Sampling sampling);

  /// Takes the next instances, from `first` on: the ratio of strategy s in the i-th of them is ratio[s * stride + i].
  /// Those not run (NaN) do not count.
  void add(std::uint64_t first, std::uint64_t instances, const double* ratio, std::size_t stride,
           const double* reference, const double* capacity);
  std::vector<MeanEstimate> estimates() const;  ///< by strategy

 private:
  const Controls* controls_;
  std::vector<ControlledMean> means_;
};

/// The controls of a campaign's configurations, each made when it is first asked for; for any thread.
class CampaignControls {
 public:
  explicit CampaignControls(const Campaign& campaign);

  /// Null where the campaign controls nothing.
  const Controls* of(std::size_t configuration);
  ControlledRatios ratios(std::size_t configuration, std::span<const StrategyFacts> facts);

 private:
  const Campaign& campaign_;
  CapacityLaws laws_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Controls>> made_;
};

}  // namespace coterie::sim
