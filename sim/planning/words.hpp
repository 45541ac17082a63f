#pragma once

#include <string>

namespace coterie::sim {

/// "49.8 %"; "<0.1 %" and ">99.9 %" where rounding to one decimal would make it none or all.
std::string share_text(double share);
/// "95 %" as the user asked for it, with all its digits.
std::string asked_share_text(double share);
/// "4.67 %"
std::string percent_text(double share);
/// A text wrapped to 80 columns, with a line end after the last line; lines after the first begin with `indent` blanks.
std::string paragraph(const std::string& text, std::size_t indent = 0);

}  // namespace coterie::sim
