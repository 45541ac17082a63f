#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coterie::sim {

/// The explanation of an answer in plain words, for 80 columns, from the JSON alone.
std::string explanation_text(const nlohmann::ordered_json& answer);

}  // namespace coterie::sim
