#pragma once

#include <span>

#include "core/schedule.hpp"

namespace coterie::heuristics {

/// Tasks looked at, at most, while exchanges are tried: a tenth of a second or so, the same on every machine.
inline constexpr std::size_t kMostExchangeSteps = 5'000'000;

/// The schedule improved for workers that differ: two workers exchange their lists, or a worker the places of two
/// chunks of one size in its list, whenever the exact expected work grows; until nothing of that helps, or
/// `most_steps` are spent. `risks`: one each, or one for all. Expected work does not fall, but for rounding. As it is
/// where lists have tasks of several pieces or a chunk twice, or are too long together for so many steps.
/// Beyond worksharing-2013, Section 7.
Schedule with_exchanges(const Schedule& schedule, std::span<const RiskPtr> risks,
                        std::size_t most_steps = kMostExchangeSteps);

}  // namespace coterie::heuristics
