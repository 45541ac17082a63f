#pragma once

#include <optional>
#include <string>

#include "sim/command_line/verbs.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::sim {

/// How long the machines of a trace stayed, as the text of an SVG file: the curve of Kaplan and Meier with its band,
/// and the laws that fit. `file` is for title and messages; says on standard error what is not drawn. The axis of
/// time goes to `until` seconds, or to the longest spell.
std::string trace_picture(const traces::AvailabilityTrace& trace, const std::string& file,
                          std::optional<double> until = {});

/// coterie trace plot.
int plot_trace(const Call& call);

}  // namespace coterie::sim
