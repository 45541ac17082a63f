#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/planning/planner.hpp"
#include "sim/planning/situation.hpp"

namespace coterie::sim {

/// The question to the exact theory, for a situation that is_static() and has so many machines; also with background
/// jobs.
PlanQuestion static_question(const Situation& situation, std::size_t machines);

/// What is exact, and how far it depends on what is assumed: expected work of all static strategies and their ceiling,
/// whatever becomes of machines that were never seen to leave; Young's and Daly's intervals; resamples of the trace;
/// what if. Times and work in seconds or bare numbers. Of machines that are replaced, or otherwise beyond the theory:
/// only why there is nothing.
nlohmann::ordered_json explanation_json(const Situation& situation, std::size_t machines);

}  // namespace coterie::sim
