#pragma once

#include <string>
#include <string_view>

namespace coterie {

/// The words of a text in lines of at most `columns` bytes, but for words that are longer; a line that is short enough
/// stays as it is, and further lines of one that is not begin with the blanks that it begins with. No new line at the
/// end that the text has not.
std::string wrapped(std::string_view text, std::size_t columns = 80);

/// "label     text": text in lines of at most `columns` bytes that all begin at column `indent`, the first behind
/// `label` (in a line of its own where the label is too long for that). No new line at the end.
std::string hanging(std::string_view label, std::size_t indent, std::string_view text, std::size_t columns = 80);

}  // namespace coterie
