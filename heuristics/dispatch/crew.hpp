#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// Workers that differ in more than their lives, and work that is not divisible anywhere.
struct Crew {
  /// Workers of one kind.
  struct Group {
    double speed = 1;           ///< work per unit of time
    double restart = 0;         ///< time that a worker needs before its first chunk after it comes up
    double billed = 0;          ///< what is billed of a rental is a multiple of it; 0: the time itself
    bool fallback = false;      ///< gets only what the others have lost too often
    std::size_t first_law = 0;  ///< of the spell at the start: a place in `laws`
    std::size_t later_law = 0;  ///< of later spells
  };

  std::vector<RiskPtr> laws;
  std::vector<Group> groups;
  std::vector<std::uint32_t> group_of;  ///< by worker; those of fallback groups come last
  double startup_cost = 0;              ///< time of each chunk, at any speed
  double task = 0;        ///< work is handed out, lost and completed in whole tasks of this size; 0: it is divisible
  std::size_t tries = 0;  ///< a task that was lost this often is given to fallback groups alone, which try it until it
                          ///< is done; if there are none, it has failed; 0: no limit
  double warning = 0;     ///< a worker knows this long ahead that it is interrupted; if a start-up cost fits into this
                          ///< time, it saves what it has done of its chunk, which takes that cost

  const Group& of(std::size_t worker) const { return groups[group_of[worker]]; }
};

}  // namespace coterie::heuristics
