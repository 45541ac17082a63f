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

/// The streams of machines; with the highest bit, those of zones.
constexpr std::uint32_t kZoneStreams = 0x80000000;
std::uint32_t stream_of(std::size_t group, std::size_t place) {
  return static_cast<std::uint32_t>(group << 20 | place);
}

}  // namespace

FleetLives::FleetLives(std::shared_ptr<const Fleet> fleet, double until)
    : fleet_(std::move(fleet)), until_(until), shocks_(fleet_->groups.size()) {
  for (const bool fallback : {false, true})
    for (std::size_t g = 0; g < fleet_->groups.size(); ++g)
      if (fleet_->groups[g].fallback == fallback) groups_.push_back(g);
  for (const std::size_t g : groups_) {
    const FleetGroup& group = fleet_->groups[g];
    if (!group.down || !group.life || !group.zones.bind(group.count)) continue;
    const std::vector<RiskPtr> laws = {group.life, group.first ? group.first : group.life};
    shocks_[g] = std::make_unique<ZoneShocks>(group.zones.common, laws);
  }
}

void FleetLives::draw(const StreamKey& key, std::uint64_t instance, std::span<const double>, Spells& spells) const {
  draw_until(until_, key, instance, spells);
}

/// Of a machine that is up at the start.
double FleetLives::first_end(const StreamKey& key, const Machine& machine, double uniform, double until) const {
  const FleetGroup& group = fleet_->groups[machine.group];
  const RiskPtr& risk = group.first ? group.first : group.life;
  if (!risk) return until;
  if (const auto& shocks = shocks_[machine.group])
    return shocks->end(machine.zone, machine.instance, group.first ? 1 : 0, 0, uniform, until);
  if (group.zones.bind(group.count)) {
    const double common = group.zones.common;
    Stream of_zone(key, machine.instance,
                   kZoneStreams | stream_of(machine.group, group.zones.of(machine.place, group.count)));
    uniform = std::min(own_part(uniform, common), own_part(to_uniform(of_zone()), 1 - common));
  }
  return std::min(risk->quantile(uniform), until);
}

double FleetLives::later_end(const Machine& machine, double begin, double uniform, double until) const {
  const FleetGroup& group = fleet_->groups[machine.group];
  if (const auto& shocks = shocks_[machine.group])
    return shocks->end(machine.zone, machine.instance, 0, begin, uniform, until);
  return group.life ? std::min(begin + group.life->quantile(uniform), until) : until;
}

void FleetLives::draw_until(double until, const StreamKey& key, std::uint64_t instance, Spells& spells) const {
  if (fleet_->replay) return fleet_->replay->draw(key, instance, std::vector<double>(fleet_->machines()), spells);
  spells.clear();
  std::size_t drawn = 0;
  for (const std::size_t g : groups_) {
    const FleetGroup& group = fleet_->groups[g];
    for (std::size_t k = 0; k < group.count; ++k) {
      const Machine machine{g, k, instance, ZoneShocks::key_of(key, stream_of(g, group.zones.of(k, group.count)))};
      Stream stream(key, instance, stream_of(g, k));
      double end = first_end(key, machine, to_uniform(stream()), until);
      spells.add({0, end});
      while (end < until && group.down) {
        const double begin = end + group.down->quantile(to_uniform(stream()));
        if (!(begin < until)) break;
        end = later_end(machine, begin, to_uniform(stream()), until);
        spells.add({begin, end});
        if ((++drawn & 0xfff) == 0) cancellation_point();
        if (drawn > kMostSpells)
          throw InputError(fmt::format("{}: machines are replaced more than {} times in a run; give a horizon",
                                       group.name, kMostSpells));
      }
      spells.close_worker();
    }
  }
}

}  // namespace coterie::sim
