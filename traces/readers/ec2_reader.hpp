#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Events of Amazon EC2 as EventBridge sends them (version "0"), one JSON object per line: "EC2 Instance State-change
/// Notification" (running: up; stopping, stopped, shutting-down, terminated: down) and "EC2 Spot Instance Interruption
/// Warning", which turns the end that follows into an interruption; if none follows within ten minutes, the instance
/// counts as interrupted two minutes after the warning (W_NOEND), and a later end as late (W_LATE). Ends without a
/// warning are censored: the user made them. [EC2 User Guide, Spot Instance interruption notices; EventBridge events of
/// EC2] Errors: E_FIELDS E_NUMBER E_EVENT E_NEGATIVE E_EMPTY.
AvailabilityTrace read_ec2(std::istream& input, const std::string& file, const ReadingOptions& options);

/// See TraceFormat.
bool accepts_ec2(std::string_view line, bool first, const ReadingOptions& options);

}  // namespace coterie::traces
