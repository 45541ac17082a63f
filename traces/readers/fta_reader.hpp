#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Failure Trace Archive, event_trace.tab: nine columns, one row per spell of unavailability (0) or availability (1).
/// A spell of availability is observed iff unavailability starts exactly at its end, and left-truncated unless one ends
/// exactly at its start. Each (platform, node, component) has its own history; component=ID reads one component only.
/// Errors: E_FIELDS E_NUMBER E_EVENT E_NEGATIVE E_OVERLAP E_EMPTY.
AvailabilityTrace read_fta(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_fta(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
