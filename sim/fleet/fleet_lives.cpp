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

double kept_inside(double uniform) { return std::clamp(uniform, 0x1p-33, 1 - 0x1p-33); }  // as uniforms are

/// The uniform number for the own part of a life, of which zones have the part `common`.
double own_part(double uniform, double common) { return -std::expm1(std::log1p(-uniform) / (1 - common)); }

}  // namespace

FleetLives::FleetLives(std::shared_ptr<const Fleet> fleet, double until)
    : fleet_(std::move(fleet)), until_(until), shocks_(fleet_->groups.size()) {
  for (const bool fallback : {false, true})
    for (std::size_t g = 0; g < fleet_->groups.size(); ++g)
      if (fleet_->groups[g].fallback == fallback) groups_.push_back(g);
  for (const std::size_t g : groups_) {
    const FleetGroup& group = fleet_->groups[g];
    if (!group.down || !group.life || !group.zones.bind(group.count)) continue;
    std::vector<HazardSteps> laws = {HazardSteps(*group.life)};
    if (group.first) laws.emplace_back(*group.first);
    shocks_[g] = std::make_unique<ZoneShocks>(group.zones.common, std::move(laws));
  }
}

void FleetLives::draw(const StreamKey& key, std::uint64_t instance, std::span<const double>, Spells& spells) const {
  draw_until(until_, key, instance, spells);
}

/// Not those of machines.
StreamKey FleetLives::key_of_zone(const StreamKey& key, std::size_t group, std::size_t zone) const {
  return StreamKey::derive(std::uint64_t{key.key[1]} << 32 | key.key[0], kZoneStreams | stream_of(group, zone),
                           Use::kZone);
}

/// Of a machine that is up at the start.
double FleetLives::first_end(const StreamKey& key, const Machine& machine, double uniform, double until) const {
  const FleetGroup& group = fleet_->groups[machine.group];
  const RiskPtr& risk = group.first ? group.first : group.life;
  if (!risk) return until;
  const double common = group.zones.common;
  if (const auto& shocks = shocks_[machine.group]) {
    const double own = std::min(risk->quantile(kept_inside(own_part(uniform, common))), until);
    return shocks->first(machine.zone, machine.instance, group.first ? 1 : 0, 0, own);
  }
  if (group.zones.bind(group.count)) {
    Stream of_zone(key, machine.instance,
                   kZoneStreams | stream_of(machine.group, group.zones.of(machine.place, group.count)));
    uniform = kept_inside(std::min(own_part(uniform, common), own_part(to_uniform(of_zone()), 1 - common)));
  }
  return std::min(risk->quantile(uniform), until);
}

double FleetLives::later_end(const Machine& machine, double begin, double uniform, double until) const {
  const FleetGroup& group = fleet_->groups[machine.group];
  const auto& shocks = shocks_[machine.group];
  if (shocks) uniform = kept_inside(own_part(uniform, group.zones.common));
  const double own = group.life ? std::min(begin + group.life->quantile(uniform), until) : until;
  return shocks ? shocks->first(machine.zone, machine.instance, 0, begin, own) : own;
}

void FleetLives::draw_until(double until, const StreamKey& key, std::uint64_t instance, Spells& spells) const {
  if (fleet_->replay) return fleet_->replay->draw(key, instance, std::vector<double>(fleet_->machines()), spells);
  spells.clear();
  std::size_t drawn = 0;
  for (const std::size_t g : groups_) {
    const FleetGroup& group = fleet_->groups[g];
    for (std::size_t k = 0; k < group.count; ++k) {
      const Machine machine{g, k, instance, key_of_zone(key, g, group.zones.of(k, group.count))};
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
