#pragma once

#include <string>
#include <string_view>

namespace coterie {

/// The words of a text in lines of at most `columns` bytes, but for words that are longer; a line that is short enough
/// stays as it is, and further lines of one that is not begin with the blanks that it begins with. No new line at the
/// end that the text has not.
std::string wrapped(std::string_view text, std::size_t columns = 80);

}  // namespace coterie
