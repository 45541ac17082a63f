#pragma once

#include <optional>
#include <string>

#include "sim/command_line/verbs.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::sim {

/// How long the machines of a trace stayed, as the text of an SVG file: the curve of Kaplan and Meier with its band,
/// and the fitted laws. `file` is for title and messages; says on standard error what is not drawn. The time axis ends
/// at `until` seconds, or at the longest spell.
std::string trace_picture(const traces::AvailabilityTrace& trace, const std::string& file,
                          std::optional<double> until = {});

/// coterie trace plot.
int plot_trace(const Call& call);

}  // namespace coterie::sim
