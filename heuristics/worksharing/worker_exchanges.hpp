#pragma once

#include <span>

#include "core/schedule.hpp"

namespace coterie::heuristics {

/// The most tasks examined while exchanges are tried: about a tenth of a second, and the same on every machine.
inline constexpr std::size_t kMostExchangeSteps = 5'000'000;

/// The schedule improved for workers that differ: two workers exchange their lists, or two chunks of one size in a list
/// exchange places, whenever the exact expected work grows, until neither helps or `most_steps` are spent. `risks`: one
/// for each, or one for all. Expected work does not fall, up to rounding. Unchanged if lists have tasks of several
/// pieces or a chunk twice, or are too long for this many steps. Beyond worksharing-2013, Section 7.
Schedule with_exchanges(const Schedule& schedule, std::span<const RiskPtr> risks,
                        std::size_t most_steps = kMostExchangeSteps);

}  // namespace coterie::heuristics
