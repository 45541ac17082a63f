#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// Two workers who share `work`, each chunk preceded by `startup`, at most `most` chunks a worker.
struct ChargedPair {
  double work;
  std::int64_t most;
  double startup;
  const Risk& risk;

  double risk_after(double work_done, double chunks) const { return risk.probability(work_done + chunks * startup); }
};

/// The lists of both workers in the shape of Theorem 5: how much each has done, from its own end of the work, when a
/// chunk ends. [worksharing-2013, Theorem 5]
using EndLists = std::array<std::vector<double>, 2>;

/// A local search: ends are moved, one at a time and those in common together; chunks are added and taken away at
/// either worker and at both; short lists are replaced by the best response to the other's; as long as that gains. Long
/// lists only have their ends moved, a few times.
EndLists improved_ends(const ChargedPair& pair, const EndLists& start);

/// The same lists but for a worker's, which is the best one with ends on a grid of places that may matter: dynamic
/// programme over ends and numbers of chunks. Unchanged where that would take long.
EndLists with_response(const ChargedPair& pair, const EndLists& lists, std::size_t worker);

}  // namespace coterie::heuristics
