#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Repository of Availability Traces (Godfrey, 2010): `node count (start end){count}`, in seconds, one line per node.
/// The format does not say what is censored; t0 and t1 (first and last round of probes) decide that.
/// Errors: E_FIELDS E_COUNT E_NUMBER E_ORDER E_DUPHOST E_EMPTY.
AvailabilityTrace read_avt(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_avt(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
