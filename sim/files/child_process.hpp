#pragma once

#include <functional>
#include <optional>
#include <string>

namespace coterie::sim {

/// Runs `action` in a child process that is given up after so many seconds of computing: for libraries that may crash
/// or hang on damaged files. Returns nothing where it came to its end, and else why not: the message of what it threw,
/// or that it crashed. Nothing that it changes or prints is seen here.
std::optional<std::string> problem_in_child(const std::function<void()>& action, unsigned seconds);

/// As long as one lives, this process ends with exit status 1 and a message on standard error where it crashes: a
/// library that came to its end in a child may still crash here, on the same file, with another heap. Of several that
/// of the last.
class CrashMessage {
 public:
  explicit CrashMessage(const std::string& message);  ///< 1000 bytes of it at most
  ~CrashMessage();
  CrashMessage(const CrashMessage&) = delete;
  CrashMessage& operator=(const CrashMessage&) = delete;
};

}  // namespace coterie::sim
