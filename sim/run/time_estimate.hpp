#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/engine/rows.hpp"

namespace coterie::sim {

/// How long missing rows take to compute.
struct TimeEstimate {
  double seconds = 0;        ///< of one thread
  std::size_t measured = 0;  ///< MissingRows that were prepared and started
};

/// Measured on a sample spread evenly over all: each is prepared, its first block run and its exact means computed if
/// the campaign asks for them, until `most_seconds` are over (at least one). The results are discarded. Nothing if no
/// rows are missing. Throws what preparing throws.
std::optional<TimeEstimate> estimate_time(const Campaign& campaign, const std::vector<MissingRows>& missing,
                                          double most_seconds);

/// "about 7 min of computing with 4 threads (measured on 12 of 300 configurations)", after a second of measuring; ""
/// if there is nothing to run.
std::string time_text(const Campaign& campaign, const std::vector<MissingRows>& missing, int threads);

/// Whether there is enough to compute to make that second worthwhile.
bool takes_long(const std::vector<MissingRows>& missing);

}  // namespace coterie::sim
