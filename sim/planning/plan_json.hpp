#pragma once

#include <nlohmann/json.hpp>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// Everything that is said about a plan, as fields; lengths and amounts of work in seconds, or in the user's bare
/// numbers.
nlohmann::ordered_json plan_json(const PlanView& view);

}  // namespace coterie::sim
