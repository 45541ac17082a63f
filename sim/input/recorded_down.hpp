#pragma once

#include "sim/input/risks.hpp"

namespace coterie::sim {

/// The law of the gaps between the spells of each host in the trace that a risk is made of, trace(file=...), in its
/// unit of time. Throws InputError at `place` if `risk` is no trace of hosts that come back.
RiskPtr recorded_down(const std::string& risk, RiskLibrary& risks, const Place& place);

}  // namespace coterie::sim
