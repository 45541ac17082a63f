#pragma once

#include <cstdint>
#include <vector>

#include "core/risk.hpp"
#include "core/stream.hpp"

namespace coterie::sim {

/// The hazard of a law, constant between ages: of a smooth law on a grid so fine that the law stays the same to about
/// 1e-4; of one that jumps between the times of its jumps, where half of each jump belongs to either side.
class HazardSteps {
 public:
  explicit HazardSteps(const Risk& risk);
  double at(double age) const;

  struct Step {
    double begin;  ///< age
    double hazard;
  };
  const std::vector<Step>& steps() const { return steps_; }
  double greatest() const;
  /// From 0 until half are interrupted, or until the last step.
  double mean() const { return mean_; }

 private:
  std::vector<Step> steps_;
  double mean_ = 0;
};

/// A uniform number for the part 1 - common of a hazard: its quantile is that of S^(1 - common).
double own_part(double uniform, double common);

/// What interrupts the machines of a zone together, whenever they came up: points (time, level) of a Poisson process of
/// density 1. A point takes each machine whose hazard at its present age, times the common part, is above its level. So
/// the zone's part of each life has the hazard common x h, whatever happens to others; machines of one age go together.
/// The points are those of layers of levels and of blocks of time with random numbers of their own, so that any machine
/// meets the same ones and needs only those that may concern it.
class ZoneShocks {
 public:
  /// `laws`: of the machines of the zone.
  ZoneShocks(double common, std::vector<RiskPtr> laws);

  /// When the spell of a machine of this law ends that is up from `begin` on, at most `until`: by its own part, from a
  /// uniform number, or by a shock. `key`: of the zone.
  double end(const StreamKey& key, std::uint64_t instance, std::size_t law, double begin, double uniform,
             double until) const;

  /// The key of a zone with this number below 2^31, of the key of all streams of a run.
  static StreamKey key_of(const StreamKey& key, std::uint32_t zone);

 private:
  double first(const StreamKey& key, std::uint64_t instance, std::size_t law, double begin, double latest) const;

  struct Layer {
    double low;
    double high;
    double block;  // time in which kPoints of its points are expected
    /// By law: ages at which its hazard is above `low`.
    std::vector<std::vector<std::pair<double, double>>> ages;
  };

  double common_;
  std::vector<RiskPtr> risks_;
  std::vector<HazardSteps> laws_;
  std::vector<Layer> layers_;
};

}  // namespace coterie::sim
