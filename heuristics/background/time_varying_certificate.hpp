#pragma once

#include "heuristics/background/time_varying.hpp"

namespace coterie::heuristics {

/// What exact arithmetic says about a schedule whose processors stop together.
struct RootCertificate {
  bool holds = false;      ///< there is a root whose T_f and T_i lie in the linear pieces used to compute it
  double finish_time = 0;  ///< that root's T_f, the nearest double
  double error = 0;        ///< |T_f of the schedule - T_f of the root|, as if computed exactly
};

/// Solves the linear system of the piece on which the schedule lies, in rationals and with the exact values of the
/// speeds (which are doubles), and checks that T_f and every T_i of the solution lie inside their pieces: then it is a
/// root of the equations of TimeVaryingTree, without any rounding. Says nothing about other roots.
RootCertificate certify(const TimeVaryingTree& tree, const TreeSchedule& schedule);

}  // namespace coterie::heuristics
