#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// SimGrid state profile of one host: `date value`, up iff value > 0, up from 0 until an event says otherwise; a
/// profile with LOOPAFTER or PERIODICITY is read for two rounds. Without them, a host that is up at the end is censored
/// at t1, by default the last date; if it comes up at that very date, it counts as W_LASTUP instead. Errors: E_FIELDS
/// E_NUMBER E_NEGATIVE E_ORDER E_LOOP E_STOCHASTIC E_EMPTY.
AvailabilityTrace read_simgrid(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_simgrid(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
