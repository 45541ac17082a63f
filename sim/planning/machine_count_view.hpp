#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// How many machines meet the deadline, in plain words for 80 columns; "" where that was not asked.
std::string machine_count_text(const PlanView& view);
/// The same as numbers; null where it was not asked.
nlohmann::ordered_json machine_count_json(const PlanView& view);

}  // namespace coterie::sim
