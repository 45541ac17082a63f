#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Runs of HTCondor jobs, one per row, below a line of headings: `condor_history -epochs -af:h ATTRIBUTE ...` with
/// ClusterId, ProcId, JobCurrentStartDate, EpochWriteDate (when the run ended), VacateReasonCode and optionally
/// LastRemoteHost. Codes that say a machine or slot was taken away are interruptions; with other codes, or none, the
/// job or its owner ended the run. [manual of HTCondor 24.0, "Vacate Reason Codes"; since 23.8.1] Errors: E_HEADER
/// E_FIELDS E_NUMBER E_CAUSE E_NEGATIVE E_OVERLAP E_EMPTY.
AvailabilityTrace read_condor_history(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_condor_history(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
