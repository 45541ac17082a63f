#pragma once

#include <string>
#include <vector>

#include "traces/durations.hpp"
#include "traces/fit.hpp"

namespace coterie::sim {

/// How long machines stayed, as the text of an SVG file, the same bytes for the same durations (in seconds): the curve
/// of Kaplan and Meier with its pointwise 95 % band, a tick where a spell was censored, and each law that could be
/// fitted. Below the time axis stands how many spells lasted at least that long. Jumps closer together than a third of
/// a pixel are drawn as one. The axis ends at `end` seconds. `end` and the longest duration must be positive and
/// finite.
std::string survival_diagram_svg(const std::string& title, const traces::Durations& durations,
                                 const std::vector<traces::FittedLaw>& laws, double end);

}  // namespace coterie::sim
