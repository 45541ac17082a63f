#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// A list of changes in time order: `time host up|down`, or `time,add|remove,host`, separated by blanks or commas.
/// Hosts that are up at the end are censored at t1, by default the last time of the file.
/// Errors: E_FIELDS E_NUMBER E_EVENT E_ORDER E_STATE E_EMPTY.
AvailabilityTrace read_events(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_events(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
