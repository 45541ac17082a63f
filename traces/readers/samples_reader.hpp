#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Spot probes in JSON: {"metadata": {"gap_seconds": g}, "data": [whole numbers]}; sample i covers [i g, (i+1) g).
/// Errors: E_FIELDS E_NUMBER E_COUNT (a sample above 1 without count=lifo) E_EMPTY.
AvailabilityTrace read_samples(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_samples(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
