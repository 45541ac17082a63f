#pragma once

#include <span>
#include <vector>

#include "core/risk.hpp"
#include "core/zones.hpp"
#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {

/// The interruption times of a configuration's instances: one uniform number per worker (Use::kInterruption), and the
/// quantile of its risk. If zones bind, there is also one uniform V per zone (Use::kZone), and the quantile is that of
/// 1 - max((1 - U)^(1 / (1 - rho)), (1 - V)^(1 / rho)), which is also uniform, instead of U.
class SampledTimes {
 public:
  /// `risks`: one per worker or one for all.
  SampledTimes(std::vector<RiskPtr> risks, std::size_t workers, double startup_cost, std::uint64_t seed,
               std::uint64_t identity, const Zones& zones = {});

  const std::vector<RiskPtr>& risks() const { return risks_; }
  std::size_t workers() const { return workers_; }
  const Zones& zones() const { return zones_; }
  /// How many numbers `draw` needs space for: the loops draw for four workers at a time.
  std::size_t room() const { return (workers_ + 3) / 4 * 4 * kLanes; }
  /// For kLanes instances from `instance` on: times[w * kLanes + lane]. If these are also the capacities, the
  /// omniscient's work without its bound W is added to `useful` while they are in the cache; otherwise null.
  void draw(std::uint64_t instance, std::span<double> times, double* useful = nullptr) const;

 private:
  void join_zones(std::uint64_t instance, std::size_t first_worker, std::size_t workers, double* uniforms) const;

  const LaneLoops& loops_ = best_lane_loops();
  std::vector<RiskPtr> risks_;
  std::size_t workers_;
  double startup_cost_;
  Zones zones_;
  StreamKey key_;
  StreamKey zone_key_;
};

}  // namespace coterie::sim
