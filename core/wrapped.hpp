#pragma once

#include <string>
#include <string_view>

namespace coterie {

/// Wraps a text at `columns` bytes; longer words are not broken. A line that is short enough stays as it is; the
/// continuation of a longer one has the same indentation. Adds no newline at the end.
std::string wrapped(std::string_view text, std::size_t columns = 80);

/// "label     text": text in lines of at most `columns` bytes that all begin at column `indent`, the first one after
/// `label` (which gets its own line if it is too long). No newline at the end.
std::string hanging(std::string_view label, std::size_t indent, std::string_view text, std::size_t columns = 80);

}  // namespace coterie
