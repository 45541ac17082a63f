#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coterie {

/// At most so many bytes of what a user wrote are shown in a message.
constexpr std::size_t kMostEchoed = 200;

/// `text` as it may be sent to a terminal. What could steer it or hide something is shown instead: control characters
/// and bytes that are no UTF-8 as \n or \x1b; other controls, characters that turn the direction of writing and
/// invisible ones as \u202e. Those of `kept` stay as they are.
std::string printable(std::string_view text, std::string_view kept = "");

/// The same for a message: of a longer text the first kMostEchoed bytes, to the end of a character, and "...".
std::string echoed(std::string_view text);

/// A message in which each occurrence of `text`, which a user wrote, stands as echoed(text).
std::string with_echoed(std::string message, std::string_view text);

}  // namespace coterie
