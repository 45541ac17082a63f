#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// One duration per line; two columns only below the header `duration,observed` (observed: 1, or 0 for right-censored).
/// Errors: E_NUMBER E_FIELDS E_HEADER E_FLAG E_NEGATIVE E_EMPTY.
AvailabilityTrace read_durations(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_durations(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
