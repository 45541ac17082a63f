#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coterie::sim {

/// An answer in plain words: at most kMostLines lines of 80 columns, from the JSON alone; and, if the answer has an
/// explanation, that.
std::string answer_text(const nlohmann::ordered_json& answer);

inline constexpr std::size_t kMostLines = 25;

/// "a queue", "the fixed lists of greedy": a policy in words, by its name in the JSON.
std::string policy_words(const std::string& policy);

}  // namespace coterie::sim
