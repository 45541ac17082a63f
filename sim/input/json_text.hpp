#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coterie::sim {

/// JSON as text, in one line if `indent` is negative; bytes that are not UTF-8 (from a file name) become U+FFFD.
std::string json_text(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace coterie::sim
