#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/run/ranks.hpp"

namespace coterie::sim {

/// How the work of several ranks ended; the greatest value counts.
enum class RankOutcome { kDone = 0, kStopped = 1, kFailed = 2 };

/// Of how many instances rows are missing.
std::uint64_t instances_of(const std::vector<MissingRows>& missing);

/// Collective: the rows that rank 0 wants computed.
std::vector<MissingRows> broadcast_missing(const Ranks& ranks, const std::vector<MissingRows>& missing);

/// Ranks are shards that start together: the share `rank` (from 0) of `ranks`. Whole rows in turn if there are many,
/// otherwise a part of the blocks of each.
std::vector<MissingRows> share_of_rank(const std::vector<MissingRows>& missing, std::uint64_t rank,
                                       std::uint64_t ranks);

/// Collective: each rank computes its share of the rows, which are the same on all, gives them to `control.keep` and
/// calls `save` at the end. Returns how the work of all ended; a rank that fails reports the reason to `warn`, and the
/// others still end their shares.
RankOutcome compute_rows_on_ranks(const Ranks& ranks, const Campaign& campaign, const std::vector<MissingRows>& missing,
                                  const RunControl& control, Progress& progress, const std::function<void()>& save,
                                  const std::function<void(const std::string&)>& warn);

}  // namespace coterie::sim
