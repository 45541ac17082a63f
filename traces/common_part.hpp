#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// The part of a host's hazard that its zone shares: rho of core/zones.hpp, estimated from a recording.
///
/// The estimate counts drops: interruptions of a zone's hosts that come together (`window`) while at least two
/// hosts are up. A drop is whole if it takes all hosts that were up; otherwise each of its interruptions counts as one
/// of that host alone. If n hosts of equal hazard h are up, whole drops come at rate rho h and others at n (1 - rho) h,
/// so a drop is whole with probability
///   p(n) = (rho + c) / (rho + n (1 - rho)),  c: n (1 - rho) times the probability that all others follow by chance,
/// whatever h is and however it changes in time. rho solves sum p(n) = number of whole drops. The 95 % interval holds
/// all rho for which this number is within 1.96 standard deviations of its mean.
/// [partial likelihood: Cox 1975, Biometrika 62, 269-276; interval: Wilson 1927, JASA 22, 209-212]
///
/// This is the rho of the model if the hosts of a zone have the same age (their spells begin together), or are
/// interrupted at a rate that does not depend on age, whether they go down for a while or forever. In other recordings
/// it is the share of a single host's interruptions that belong to drops of all hosts that are up. Drops of part of a
/// zone, however large, count as drops of single hosts (`partial` says how many there were).
struct CommonPart {
  std::optional<double> value;  ///< nothing if it cannot be estimated
  double low = 0;               ///< 95 % interval, if there is a value
  double high = 1;
  std::string problem;       ///< why there is no value; empty if there is one
  std::size_t zones = 0;     ///< zones in which at least two hosts were up when one was interrupted
  bool zones_named = false;  ///< by the recording; if not, all hosts are one zone
  std::size_t drops = 0;     ///< with at least two hosts up; a drop of part of a zone counts once per host
  std::size_t whole = 0;     ///< drops that took all hosts that were up
  std::size_t partial = 0;   ///< drops of several hosts, but not all
  double window = 0;         ///< in seconds: interruptions count as together within it,
  bool less = true;          ///< or, if `less`, only less than it apart: where no window was given
};

/// `window`: in seconds, >= 0; default: less than the resolution that the format states, otherwise than the least
/// difference between two times of the recording.
CommonPart common_part(const AvailabilityTrace& trace, std::optional<double> window = std::nullopt);

}  // namespace coterie::traces
