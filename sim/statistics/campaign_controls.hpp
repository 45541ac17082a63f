#pragma once

#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/sampling/capacity_laws.hpp"
#include "sim/statistics/control_variates.hpp"
#include "sim/statistics/shortage_mean.hpp"

namespace coterie::sim {

/// The mean ratio of one strategy, or a difference of two: the exact value if known; otherwise controlled, by a method
/// that depends only on the number of instances that are short of capacity, not on what is left unexplained:
///   kFewest effective ones or more: by ControlledMean, unless their ratios are all alike and the mean work completed
///   is known;
///   otherwise by ShortageMean, if the mean work completed is known;
///   plain if it is not.
/// If the plain interval is narrower (for Sobol points, and for at most 16 instances, whose errors are less certain,
/// narrower by more than a third), its width is used; from kFewest on its mean, too. Below that, plain means are too
/// high where few shortages were seen.
class ControlledRatio {
 public:
  static constexpr double kFewest = 50;

  /// Without controls.
  explicit ControlledRatio(Sampling sampling) : mean_({}, sampling) {}
  /// For one strategy, or a difference to `baseline`. `expected`: exact work completed, or NaN; `work`: the workload.
  ControlledRatio(const Controls::Means& known, double work, double expected, Sampling sampling,
                  const double* baseline = nullptr);

  /// The mean itself; NaN if not known.
  ControlledRatio& known_as(BoundedNumber mean) {
    itself_ = mean;
    return *this;
  }
  bool is_known() const { return !std::isnan(itself_.value); }

  void add(std::uint64_t instance, double ratio) { mean_.add(instance, ratio, {}); }
  void add(std::uint64_t instance, double ratio, double reference, double capacity);
  void add(std::uint64_t instance, double ratio, double baseline, double reference, double capacity);
  MeanEstimate estimate() const;

 private:
  void add_shortage(double value, double reference, double capacity);

  Controls::Means known_;
  double work_ = 0;
  BoundedNumber itself_{std::nan(""), std::nan("")};
  bool exact_ = false;  // is the mean work completed known?
  ControlledMean mean_;
  std::optional<ShortageMean> shortage_;  // where anything is controlled
};

/// The mean ratios of one configuration: by control if the campaign asks for it, by replicates for Sobol points.
class ControlledRatios {
 public:
  /// `controls`: null if nothing is controlled. `facts`: by strategy. `work`: the workload, if means are controlled.
  /// `known`: exact means by strategy, NaN if unknown; empty if there are none.
  ControlledRatios(const Controls* controls, std::span<const StrategyFacts> facts, Sampling sampling, double work,
                   std::span<const BoundedNumber> known = {});

  /// Adds the next instances, from `first` on: the ratio of strategy s in the i-th of them is ratio[s * stride + i].
  /// Instances that were not run (NaN) do not count.
  void add(std::uint64_t first, std::uint64_t instances, const double* ratio, std::size_t stride,
           const double* reference, const double* capacity);
  std::vector<MeanEstimate> estimates() const;  ///< by strategy
  bool all_known() const;                       ///< whether all means are exact

 private:
  const Controls* controls_;
  std::vector<ControlledRatio> means_;
};

/// The controls of a campaign's configurations, each made on first use; thread-safe.
class CampaignControls {
 public:
  explicit CampaignControls(const Campaign& campaign);

  /// Null if the campaign controls nothing.
  const Controls* of(std::size_t configuration);
  /// Frees them, when nothing refers to them any more.
  void forget(std::size_t configuration);
  /// Exact mean ratios by strategy; empty if the campaign does not ask for them.
  const std::vector<BoundedNumber>& known(std::size_t configuration);
  ControlledRatios ratios(std::size_t configuration, std::span<const StrategyFacts> facts);

 private:
  const Campaign& campaign_;
  CapacityLaws laws_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Controls>> made_;
  std::vector<std::unique_ptr<std::vector<BoundedNumber>>> known_;
};

}  // namespace coterie::sim
