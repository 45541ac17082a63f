#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::traces {

using Words = std::vector<std::string_view>;

/// The words between blanks and tabs, into `words`.
void split_words(std::string_view line, Words& words);
Words words_of(std::string_view line);

/// The fields between commas, without the blanks around them.
Words fields_of(std::string_view line);

/// ASCII letters in lower case; everything else unchanged.
std::string lower_case(std::string_view text);

/// Is it one of these names?
template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace coterie::traces
