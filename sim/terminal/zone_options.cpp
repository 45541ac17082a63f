#include "sim/terminal/zone_options.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/worksharing/zone_placement.hpp"

namespace coterie::sim {

Zones zones_of(const Options& options) {
  constexpr long long kMost{heuristics::WorksharingProblem::kMostWorkers};
  const Zones zones{options.has("zones") ? static_cast<std::size_t>(options.integer("zones", 1, kMost)) : 1,
                    options.number("common", 0)};
  if (!(zones.common >= 0 && zones.common <= 1))
    throw InputError(fmt::format("--common must be from 0 to 1, not {}", to_text(zones.common)));
  return zones;
}

}  // namespace coterie::sim
