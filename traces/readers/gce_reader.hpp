#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Audit log entries of Google Compute Engine (LogEntry v2, AuditLog v1), one JSON object per line: instances.insert,
/// start, resume and automaticRestart bring an instance up; preempted, hostError and terminateOnHostMaintenance
/// interrupt it; delete, stop, suspend and guestTerminate end its observation. A long call brings an instance up at its
/// end, and ends a spell at its beginning. Failed calls (of which the last entry may say so, under the operation.id of
/// the first) and other methods are counted. [Compute Engine audit logging] Errors: E_FIELDS E_NUMBER E_NEGATIVE
/// E_EMPTY.
AvailabilityTrace read_gce(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_gce(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
