#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// Two workers that share `work`, each chunk preceded by `startup`, at most `most` chunks per worker.
struct ChargedPair {
  double work;
  std::int64_t most;
  double startup;
  const Risk& risk;

  double risk_after(double work_done, double chunks) const { return risk.probability(work_done + chunks * startup); }
};

/// The lists of both workers in the shape of Theorem 5: for each end of a chunk, how much the worker has done from its
/// own end of the work. [worksharing-2013, Theorem 5]
using EndLists = std::array<std::vector<double>, 2>;

/// A local search, as long as it gains: ends are moved, one at a time and common ones together; chunks are added and
/// removed at one worker or both; short lists are replaced by the best response to the other's. Long lists only have
/// their ends moved, a few times.
EndLists improved_ends(const ChargedPair& pair, const EndLists& start);

/// The same lists, with one worker's replaced by the best one whose ends are on a grid of relevant places: a dynamic
/// programme over ends and numbers of chunks. Unchanged if that would take too long.
EndLists with_response(const ChargedPair& pair, const EndLists& lists, std::size_t worker);

}  // namespace coterie::heuristics
