#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Hosts of a BOINC project, from its statistics export: the list of hosts that db_dump writes with details, one
/// element a line. A spell begins when a host joined (create_time) and ends when it last spoke to the server
/// (rpc_time). It counts as lost if it had been silent for longer than `silent=` at the last time of the file, or at
/// t1; otherwise it is censored. [BOINC wiki, XmlStats and DbDump; sched/db_dump.cpp of servers 6 to 8] Errors:
/// E_FIELDS E_NUMBER E_SILENT E_NEGATIVE E_OVERLAP E_EMPTY.
AvailabilityTrace read_boinc(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_boinc(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
