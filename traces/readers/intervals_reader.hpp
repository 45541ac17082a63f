#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// CSV (see CsvReader) whose header has host, start and end in any order, and optionally observed and left_truncated
/// (1 or 0) or a column of causes (see Causes); a warning counts other columns. host, hostname, instance, vm, node, ...
/// are synonyms, as are start and start_time, end and end_time; the options name=, start= and end= give other names. An
/// end that is empty, -, NULL, null, NA or inf means "still up": censored at t1. Errors: E_HEADER E_FIELDS E_NUMBER
/// E_FLAG E_CAUSE E_NEGATIVE E_OVERLAP E_EMPTY.
AvailabilityTrace read_intervals(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_intervals(std::string_view line, bool first, const ReadingOptions& options);

/// What to ask about the header of a CSV that no reader accepts; "" if it is probably not one of intervals.
std::string columns_to_name(std::string_view header, const ReadingOptions& options);

}  // namespace coterie::traces
