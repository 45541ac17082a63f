#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/engine/rows.hpp"

namespace coterie::sim {

/// How long tasks of a campaign take.
struct TimeEstimate {
  double seconds = 0;        ///< of one thread
  std::size_t measured = 0;  ///< tasks that were prepared and begun
};

/// Measured on tasks spread evenly over all: each is prepared and its first block run, until `most_seconds` are over
/// (one task at least). Results are thrown away. Nothing where there are no tasks. Throws what preparing throws.
std::optional<TimeEstimate> estimate_time(const Campaign& campaign, const std::vector<MissingRows>& tasks,
                                          double most_seconds);

/// "about 7 min of computing with 4 threads (measured on 12 of 300 configurations)", after a second of measuring; ""
/// where there is nothing to run.
std::string time_text(const Campaign& campaign, const std::vector<MissingRows>& tasks, int threads);

}  // namespace coterie::sim
