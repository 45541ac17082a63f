#pragma once

#include <functional>
#include <optional>
#include <string>

namespace coterie::sim {

/// Runs `action` in a child process that is given up after so many seconds of computing: for libraries that may crash
/// or hang on damaged files. Returns nothing where it came to its end, and else why not: the message of what it threw,
/// or that it crashed. Nothing that it changes or prints is seen here.
std::optional<std::string> problem_in_child(const std::function<void()>& action, unsigned seconds);

/// From now on, where this process crashes, it ends with exit status 1 and `message` on standard error (1000 bytes at
/// most): a library that came to its end in a child may still crash here, on the same file, with another heap.
void end_with_message_on_crash(const std::string& message);

}  // namespace coterie::sim
