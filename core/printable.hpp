#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coterie {

/// Messages show at most this many bytes of what a user wrote.
constexpr std::size_t kMostEchoed = 200;

/// `text` made safe for a terminal. Characters that could control it or hide something are escaped: control characters
/// and bytes that are not UTF-8 as \n or \x1b; other control characters, those that change the direction of writing and
/// invisible ones as \u202e, or as two such numbers as in JSON (beyond \uffff). Characters in `kept` stay as they are.
std::string printable(std::string_view text, std::string_view kept = "");

/// The same for a message: a longer text is cut to kMostEchoed bytes, at the end of a character, with "..." added.
std::string echoed(std::string_view text);

/// A message with each occurrence of `text`, which a user wrote, replaced by echoed(text).
std::string with_echoed(std::string message, std::string_view text);

}  // namespace coterie
