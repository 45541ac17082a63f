#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Jobs of Slurm as `sacct --parsable2` writes them (man page of 20.11 to 24.11): fields JobID, State, Start, End and,
/// for the host, NodeList. A spell is how long a job had its nodes: PREEMPTED, NODE_FAIL and BOOT_FAIL interrupt it,
/// the job itself or its user made all other ends. Times: local (timezone=), or seconds since 1970
/// (SLURM_TIME_FORMAT=%s). Errors: E_HEADER E_FIELDS E_NUMBER E_CAUSE E_NEGATIVE E_OVERLAP E_EMPTY.
AvailabilityTrace read_slurm(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_slurm(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
