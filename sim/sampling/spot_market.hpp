#pragma once

#include <memory>

#include "core/stream.hpp"
#include "heuristics/restart/market_run.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// When spot is there: the axes risk, down, gang, spares and spot. All times are in the unit of the campaign.
///   spot = renewal: it is there at the start, new; lives follow `risk` (of a gang the least of `gang` new lives), then
///     it is away for a time of `down`: a length, a law, or "recorded", the gaps of the trace of `risk` by host. With
///     spares, one of them takes the place of a lost machine at once; the lost one comes back after its time as a
///     spare. Machines that wait or are spare are not interrupted.
///   spot = recording(trace=FILE, scale=LENGTH, ...): a window of a recording as long as the deadline, at a random
///     place; spot is there where at least `gang` machines are. `scale` is one unit of time (1s). Strategies that plan
///     by laws take those of `risk` and `down`.
class SpotMarket {
 public:
  virtual ~SpotMarket() = default;
  virtual std::unique_ptr<heuristics::SpotTimes> draw(std::uint64_t instance) const = 0;

  RiskPtr life;  ///< of spot; null: not known
  RiskPtr down;  ///< for how long it is away; null: a length
  double mean_down = 0;
};

/// The times of spot by laws: of lives, and of absences (null: always `absence`).
std::unique_ptr<heuristics::SpotTimes> renewal_times(const Risk& life, const Risk* down, double absence,
                                                     std::size_t spares, const StreamKey& lives,
                                                     const StreamKey& absences, std::uint64_t instance);

const std::vector<Axis>& spot_axes();
/// Checks these axes and makes them canonical. Throws InputError at the place of the axis.
void check_spot(Configuration& configuration, RiskLibrary& risks);
std::shared_ptr<const SpotMarket> spot_market(const Configuration& configuration, RiskLibrary& risks,
                                              std::uint64_t seed);

}  // namespace coterie::sim
