#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// CSV (see CsvReader) of ended instances: a duration column (col=), a cause column (cause=) and two lists of causes,
/// those that interrupt (observed=) and those that only end the observation (censored=). Errors: E_HEADER E_FIELDS
/// E_NUMBER E_NEGATIVE E_CAUSE E_EMPTY.
AvailabilityTrace read_lifetimes(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_lifetimes(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
