#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// The frontier of cost against the time by which all is done, in plain words, for 80 columns; "" where there are no
/// prices.
std::string prices_text(const PlanView& view);
/// All mixes that were looked at; null where there are no prices.
nlohmann::ordered_json prices_json(const PlanView& view);
/// A picture: each way that gets done, the frontier as a line. There must be prices.
std::string price_svg(const PlanView& view);

}  // namespace coterie::sim
