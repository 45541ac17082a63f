#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// Whether a recording's second half interrupts hosts of the same age as often as its first: what does not last says
/// little of what is to come.
///
/// The recording is cut into kBlocks of equal up time. In each, the interruptions that are seen are divided by those
/// that the hazard by age of the whole recording (Nelson and Aalen) lets expect; these rates of the later half of the
/// blocks are compared with those of the earlier half. Interruptions that come together, or in bursts shorter than a
/// block, do not matter: blocks are ranked, not spells. [Mann and Whitney 1947]
/// Spells that were up when recording began are left out, as nobody knows their age, and those of length zero.
struct Change {
  static constexpr std::size_t kBlocks = 20;
  static constexpr std::size_t kLeast = 5 * kBlocks;  ///< interruptions
  static constexpr double kDoubtful = 0.01;           ///< a p below it is worth a warning

  /// Seen over expected of the later half, by that of the earlier one: by how much hazards grew, drawn towards 1 where
  /// that is far. Nothing where it cannot be told.
  std::optional<double> factor;
  double p = 1;         ///< of as much difference between ranks where nothing changes
  std::string problem;  ///< why there is no factor; empty where there is one
};

Change change(const AvailabilityTrace& trace);

/// What there is to doubt of forecasts that are made from the file's recording; empty where nothing is.
std::string doubt(const Change& change, const std::string& file);

}  // namespace coterie::traces
