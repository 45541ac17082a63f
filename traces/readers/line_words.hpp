#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::traces {

using Words = std::vector<std::string_view>;

/// What blanks and tabs separate.
Words words_of(std::string_view line);

/// What commas separate, without the blanks around.
Words fields_of(std::string_view line);

/// ASCII letters in lower case; all else as it is.
std::string lower_case(std::string_view text);

bool holds(const Words& words, std::string_view word);

/// Is it one of these names?
template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace coterie::traces
