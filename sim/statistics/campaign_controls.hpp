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

/// The mean ratio of one strategy, or a difference of two: itself where it is known, else controlled in the way that
/// the number of instances which are short of capacity allows; it does not depend on what they leave unexplained:
///   kFewest effective ones or more: by ControlledMean, unless their ratios are all alike;
///   else by ShortageMean, where the mean work completed is known;
///   plain where it is not.
/// Where the plain interval is the narrower one (of Sobol points, which know their errors less well, narrower by half)
/// its width is taken; from kFewest on its mean, too. Below, plain means are too high where few shortages were seen.
class ControlledRatio {
 public:
  static constexpr double kFewest = 50;

  /// Nothing is controlled.
  explicit ControlledRatio(Sampling sampling) : mean_({}, sampling) {}
  /// Of one strategy, or of a difference to `baseline`. `expected`: exact work completed, or NaN; `work`: the workload.
  ControlledRatio(const Controls::Means& known, double work, double expected, Sampling sampling,
                  const double* baseline = nullptr);

  /// The mean itself is known, where this is not NaN.
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

/// The mean ratios of one configuration, by control where the campaign says so, by replicates where it samples so.
class ControlledRatios {
 public:
  /// `controls`: null where nothing is controlled. `facts`: by strategy. `work`: the workload, where they are. `known`:
  /// exact means by strategy, NaN where there is none; empty: none at all.
  ControlledRatios(const Controls* controls, std::span<const StrategyFacts> facts, Sampling sampling, double work,
                   std::span<const BoundedNumber> known = {});

  /// Takes the next instances, from `first` on: the ratio of strategy s in the i-th of them is ratio[s * stride + i].
  /// Those not run (NaN) do not count.
  void add(std::uint64_t first, std::uint64_t instances, const double* ratio, std::size_t stride,
           const double* reference, const double* capacity);
  std::vector<MeanEstimate> estimates() const;  ///< by strategy
  bool all_known() const;                       ///< whether all means are exact

 private:
  const Controls* controls_;
  std::vector<ControlledRatio> means_;
};

/// The controls of a campaign's configurations, each made when it is first asked for; for any thread.
class CampaignControls {
 public:
  explicit CampaignControls(const Campaign& campaign);

  /// Null where the campaign controls nothing.
  const Controls* of(std::size_t configuration);
  /// Exact mean ratios by strategy; empty where the campaign does not ask for them.
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
