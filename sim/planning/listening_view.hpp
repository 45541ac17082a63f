#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// What listening is worth, in plain words, for 80 columns; "" where it was not looked at.
std::string listening_text(const PlanView& view);
/// The same with all times in seconds, or in the user's bare numbers; null where it was not looked at.
nlohmann::ordered_json listening_json(const PlanView& view);

}  // namespace coterie::sim
