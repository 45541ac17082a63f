#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// Which part of the hazard of a host its zone shares: rho of core/zones.hpp, estimated from a recording.
///
/// Counted are drops: the interruptions of a zone's hosts that come together, within `window`, where at least two were
/// up. A drop is whole where it takes all that were up; of others each interruption counts as one of that host alone.
/// Where n hosts of one hazard h are up, whole drops come at the rate rho h and others at n (1 - rho) h, so that one is
/// whole with the probability
///   p(n) = (rho + c) / (rho + n (1 - rho)),  c: n (1 - rho) times the probability that others follow by chance,
/// whatever h and its change in time are. rho solves sum p(n) = number of whole drops. The 95 % interval holds where
/// this number is within 1.96 standard deviations of what rho would give.
/// [partial likelihood: Cox 1975, Biometrika 62, 269-276; interval: Wilson 1927, JASA 22, 209-212]
///
/// It is the rho of the model where hosts of a zone are as old as one another (spells begin together), or are
/// interrupted at a rate that does not depend on their age, and go down for a while or for ever. In other recordings it
/// is the share of interruptions that come with drops of all that is up, each host's taken alone; drops of a part of a
/// zone, however large, count as those of single hosts (`partial` says how many there were).
struct CommonPart {
  std::optional<double> value;  ///< nothing where it cannot be told
  double low = 0;               ///< 95 % interval, where there is a value
  double high = 1;
  std::string problem;       ///< why there is none; empty where there is one
  std::size_t zones = 0;     ///< in which at least two hosts were up when one was interrupted
  bool zones_named = false;  ///< by the recording; where not, all hosts are one zone
  std::size_t drops = 0;     ///< with at least two hosts up; those of a part of a zone one by one
  std::size_t whole = 0;     ///< of these, that took all that was up
  std::size_t partial = 0;   ///< drops of several hosts, but not all
  double window = 0;         ///< seconds within which interruptions are together
};

/// `window`: in seconds, >= 0; nothing: the resolution that the format states, else the least difference between two
/// times of the recording.
CommonPart common_part(const AvailabilityTrace& trace, std::optional<double> window = std::nullopt);

}  // namespace coterie::traces
