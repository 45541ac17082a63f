#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "core/risk.hpp"
#include "core/zones.hpp"
#include "heuristics/dispatch/crew.hpp"
#include "sim/sampling/recorded_spells.hpp"

namespace coterie::sim {

/// Machines of one kind. Times are in the unit of the fleet.
struct FleetGroup {
  std::string name;
  std::size_t count = 1;
  RiskPtr life;           ///< of a machine that comes up; null: it is never interrupted
  RiskPtr first;          ///< of a machine that is up at the start; null: as `life`
  RiskPtr down;           ///< time until it is replaced; null: gone for good
  double speed = 1;       ///< work per unit of time
  double restart = 0;     ///< time before its first chunk, whenever it comes up
  double price = 0;       ///< per unit of time that it is rented
  double billed = 0;      ///< rented time of a spell is rounded up to whole multiples of it; 0: exact
  Zones zones;            ///< of the machines of the group
  bool fallback = false;  ///< gets only tasks that the others have lost too often, and is rented for these alone
};

/// A job and the machines that do it.
struct Fleet {
  std::vector<FleetGroup> groups;
  /// The spells of all machines, in place of life, first and down, by which policies go all the same; nothing counts
  /// after its window. Null: by the laws.
  std::shared_ptr<const Replay> replay;
  double work = 1;        ///< time that one machine of speed 1 needs
  double task = 0;        ///< handed out, lost and saved only in whole tasks of this length, the last may be shorter
  double checkpoint = 0;  ///< time at the end of each chunk; with `task`, of each task; at any speed
  std::size_t tries = 0;  ///< a task that was lost this often is not tried again there; 0: no limit
  double latency = 0;     ///< until a completion is known; infinite: never
  double notice = kInfinity;    ///< until an interruption is known; infinite: only by chunks that are not reported
  double warning = 0;           ///< a machine knows this long ahead that it is interrupted, and saves what it can
  double deadline = kInfinity;  ///< for FleetOutcome::work_done
  double horizon = kInfinity;   ///< nothing counts afterwards

  /// Throws InputError for a value outside its domain.
  void validate() const;
  std::size_t machines() const;
  /// The horizon or that of the replay, whichever is earlier.
  double end() const;
  /// Whether machines are replaced for ever.
  bool is_endless() const;
  /// The same with times in units of `unit`.
  Fleet in_unit(double unit) const;
};

/// The risk of what is never interrupted, for work of size 1.
RiskPtr never_interrupted();

/// The machines as the engine knows them; those of fallback groups come last. For work of size 1. The laws of each
/// group have their places, whatever they are.
std::shared_ptr<const heuristics::Crew> crew_of(const Fleet& fleet);

}  // namespace coterie::sim
