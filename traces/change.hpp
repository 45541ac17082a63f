#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// Whether hosts of the same age are interrupted as often in a recording's second half as in its first. If not, the
/// recording says little about the future.
///
/// The recording is cut into kBlocks blocks of equal up time. In each, the number of interruptions seen is divided by
/// the number expected from the hazard by age of the whole recording (Nelson and Aalen); these rates are compared
/// between the later and the earlier half of the blocks. Interruptions that come together, or in bursts shorter than a
/// block, do not matter: blocks are ranked, not spells. [Mann and Whitney 1947]
/// Spells that were already running when recording began (left-truncated) are left out because their age may be
/// unknown; so are spells of length zero.
struct Change {
  static constexpr std::size_t kBlocks = 20;
  static constexpr std::size_t kLeast = 5 * kBlocks;  ///< fewest interruptions for a result
  static constexpr double kDoubtful = 0.01;           ///< a p below this gives a warning

  /// Ratio of seen to expected in the later half, divided by that of the earlier half: by how much hazards grew;
  /// extreme values are drawn towards 1. Nothing if it cannot be estimated.
  std::optional<double> factor;
  double p = 1;         ///< probability of a rank difference as large if nothing changes
  std::string problem;  ///< why there is no factor; empty if there is one
};

Change change(const AvailabilityTrace& trace);

/// A warning about forecasts made from the file's recording; empty if there is none.
std::string doubt(const Change& change, const std::string& file);

}  // namespace coterie::traces
