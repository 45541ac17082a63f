#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// The frontier of cost against the time by which all work is done, in plain words for 80 columns; "" where there are
/// no prices.
std::string prices_text(const PlanView& view);
/// All mixes that were tried; null where there are no prices.
nlohmann::ordered_json prices_json(const PlanView& view);
/// A picture of all mixes that get all work done, with the frontier as a line. There must be prices.
std::string price_svg(const PlanView& view);

}  // namespace coterie::sim
