#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// The job event log of HTCondor (23.0, DEFAULT_USERLOG_FORMAT_OPTIONS = ISO_DATE). A spell is how long a job ran on a
/// machine: from 001 (executing) to 004 (evicted), 007 (shadow exception) or 024 (reconnection failed), which are
/// interruptions, or to 005 (terminated), 009 (removed), 012 (held) or a 004 of a job that terminated and was requeued,
/// which are not. Other events are counted.
/// [HTCondor manual, Job Event Log Codes]
/// Errors: E_FIELDS E_NUMBER E_EVENT E_NEGATIVE E_EMPTY.
AvailabilityTrace read_condor(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_condor(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
