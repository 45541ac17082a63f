#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Events of Kubernetes nodes (Event v1 of the core API), one JSON object per line. NodeReady brings a node up;
/// NodeNotReady and Rebooted interrupt it; DeletingNode and RemovingNode, if it was ready until then, end its
/// observation. `observed=` names which of these four reasons are interruptions instead. Occurrences of an event that
/// are not in the log count as W_MISSED. [reasons: kubelet and node controllers of 1.20 to 1.34] Errors: E_FIELDS
/// E_NUMBER E_CAUSE E_NEGATIVE E_EMPTY.
AvailabilityTrace read_kubernetes(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_kubernetes(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
