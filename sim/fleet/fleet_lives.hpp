#pragma once

#include <memory>

#include "heuristics/dispatch/crew.hpp"
#include "sim/fleet/fleet.hpp"
#include "sim/sampling/zone_shocks.hpp"

namespace coterie::sim {

/// When the machines of a fleet are up, all at the start. Each machine has random numbers of its own, by its group and
/// its place in the group, so that fleets with more machines share those of the others.
class FleetLives final : public heuristics::Availability {
 public:
  /// `until`: draws spells up to it.
  explicit FleetLives(std::shared_ptr<const Fleet> fleet, double until = kInfinity);

  /// Spells up to `until`, which does not change what happens before.
  void draw_until(double until, const StreamKey& key, std::uint64_t instance, heuristics::Spells& spells) const;
  void draw(const StreamKey& key, std::uint64_t instance, std::span<const double> lives,
            heuristics::Spells& spells) const override;
  bool is_recorded() const override { return false; }

  static constexpr std::size_t kMostSpells = 2'000'000;

 private:
  /// When a spell ends: by the law of this uniform number, or by a shock of the zone.
  struct Machine {
    std::size_t group;
    std::size_t place;
    std::uint64_t instance;
    StreamKey zone;
  };
  double first_end(const StreamKey& key, const Machine& machine, double uniform, double until) const;
  double later_end(const Machine& machine, double begin, double uniform, double until) const;
  std::shared_ptr<const Fleet> fleet_;
  double until_;
  std::vector<std::size_t> groups_;                  // main ones first
  std::vector<std::unique_ptr<ZoneShocks>> shocks_;  // by group: of machines in zones that are replaced; or null
};

}  // namespace coterie::sim
