#pragma once

#include <functional>
#include <optional>
#include <string>

namespace coterie::sim {

/// Runs `action` in a child process that is given up after so many seconds of computing: for libraries that may crash
/// or hang on damaged files. Returns nothing where it came to its end, and else why not: the message of what it threw,
/// or that it crashed. Nothing that it changes or prints is seen here.
std::optional<std::string> problem_in_child(const std::function<void()>& action, unsigned seconds);

}  // namespace coterie::sim
