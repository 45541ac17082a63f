#pragma once

#include <string_view>
#include <vector>

namespace coterie::traces {

using Words = std::vector<std::string_view>;

/// What blanks and tabs separate.
Words words_of(std::string_view line);

/// What commas separate, without the blanks around.
Words fields_of(std::string_view line);

bool holds(const Words& words, std::string_view word);

}  // namespace coterie::traces
