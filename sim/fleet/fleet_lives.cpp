#include "sim/fleet/fleet_lives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cancellation.hpp"
#include "core/errors.hpp"

namespace coterie::sim {
namespace {

using heuristics::Spells;

/// Streams of a group: one a machine, one a zone.
constexpr std::uint32_t kZoneStreams = 0x80000000;
std::uint32_t stream_of(std::size_t group, std::size_t place) {
  return static_cast<std::uint32_t>(group << 20 | place);
}

}  // namespace

FleetLives::FleetLives(std::shared_ptr<const Fleet> fleet, double until) : fleet_(std::move(fleet)), until_(until) {
  for (const bool fallback : {false, true})
    for (std::size_t g = 0; g < fleet_->groups.size(); ++g)
      if (fleet_->groups[g].fallback == fallback) groups_.push_back(g);
}

void FleetLives::draw(const StreamKey& key, std::uint64_t instance, std::span<const double>, Spells& spells) const {
  draw_until(until_, key, instance, spells);
}

void FleetLives::draw_until(double until, const StreamKey& key, std::uint64_t instance, Spells& spells) const {
  if (fleet_->replay) {
    std::size_t machines = 0;
    for (const FleetGroup& group : fleet_->groups) machines += group.count;
    return fleet_->replay->draw(key, instance, std::vector<double>(machines), spells);
  }
  spells.clear();
  for (const std::size_t g : groups_) {
    const FleetGroup& group = fleet_->groups[g];
    const Zones& zones = group.zones;
    const bool bind = zones.bind(group.count);
    const RiskPtr first = group.first ? group.first : group.life;
    for (std::size_t k = 0; k < group.count; ++k) {
      Stream stream(key, instance, stream_of(g, k));
      double uniform = to_uniform(stream());
      if (bind) {
        Stream of_zone(key, instance, kZoneStreams | stream_of(g, zones.of(k, group.count)));
        const double zone = to_uniform(of_zone());
        const double survival =
            std::max(std::pow(1 - uniform, 1 / (1 - zones.common)), std::pow(1 - zone, 1 / zones.common));
        uniform = std::clamp(1 - survival, 0x1p-33, 1 - 0x1p-33);  // the least and the greatest uniform
      }
      double end = std::min(first ? first->quantile(uniform) : kInfinity, until);
      spells.add({0, end});
      while (end < until && group.down) {
        const double begin = end + group.down->quantile(to_uniform(stream()));
        if (!(begin < until)) break;
        end = std::min(begin + group.life->quantile(to_uniform(stream())), until);
        spells.add({begin, end});
        if ((spells.size() & 0xfff) == 0) cancellation_point();
        if (spells.size() > kMostSpells)
          throw InputError(fmt::format("{}: machines are replaced more than {} times in a run; give a horizon",
                                       group.name, kMostSpells));
      }
      spells.close_worker();
    }
  }
}

}  // namespace coterie::sim
