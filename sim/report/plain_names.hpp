#pragma once

#include <string>
#include <vector>

namespace coterie::sim {

/// Expressions as a page names them: a file without its folders, `trace(file=lab.durations)`.
std::string without_folders(const std::string& text);

/// The same for all values of an axis; unchanged if two of them would become equal.
std::vector<std::string> plain_names(const std::vector<std::string>& texts);

}  // namespace coterie::sim
