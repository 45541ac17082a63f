#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coterie::sim {

/// What backtest() found, in at most 25 lines.
std::string backtest_text(const nlohmann::ordered_json& found);

/// The same as a picture (SVG): how often promised quantiles held, and each window beside what was promised.
std::string backtest_picture(const nlohmann::ordered_json& found);

}  // namespace coterie::sim
