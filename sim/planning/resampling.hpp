#pragma once

#include <string>

#include "sim/planning/contest.hpp"

namespace coterie::sim {

/// The headline number of an option is, with a deadline, the share of the runs in time; else the time by which 95 % of
/// the runs are done; if they never are, the share of the work that is done.

/// What the headline number would be if the machines whose end was not seen never left; "" if that is nearly the same.
std::string open_text(const Situation& situation, const Contender& chosen, const Contest& contest);

/// The 95 % range of the headline number over resamples of traces with few spells; "" if there are none.
/// [Efron 1979]
std::string range_text(const Situation& situation, const Contender& chosen, const Contest& contest);

}  // namespace coterie::sim
