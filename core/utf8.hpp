#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coterie {

/// One character of a text.
struct Utf8Character {
  std::size_t bytes = 0;  ///< 0: not well-formed UTF-8
  std::uint32_t code = 0;
};

/// The character that begins at byte `at`, which must lie within the text.
Utf8Character utf8_character(std::string_view text, std::size_t at);

/// Is `text` well-formed UTF-8?
bool is_utf8(std::string_view text);

}  // namespace coterie
