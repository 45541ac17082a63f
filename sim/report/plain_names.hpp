#pragma once

#include <string>
#include <vector>

namespace coterie::sim {

/// Expressions as a page names them: a file without its folders, `trace(file=lab.durations)`.
std::string without_folders(const std::string& text);

/// The same of all that one axis takes; as they were where two would become one.
std::vector<std::string> plain_names(const std::vector<std::string>& texts);

}  // namespace coterie::sim
