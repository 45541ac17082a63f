#pragma once

#include <functional>
#include <optional>
#include <string>

namespace coterie::sim {

/// Runs `action` in a child process, for at most the given seconds of computing: for libraries that may crash or hang
/// on damaged files. Returns nothing if it finished, otherwise the reason: the message of its exception, or that it
/// crashed. This process does not see what it changes or prints.
std::optional<std::string> problem_in_child(const std::function<void()>& action, unsigned seconds);

/// While one exists, a crash of this process ends it with exit status 1 and a message on standard error: a library that
/// finished in a child may still crash here, on the same file, with another heap. If there are several, the last
/// counts.
class CrashMessage {
 public:
  explicit CrashMessage(const std::string& message);  ///< at most 1000 bytes of it
  ~CrashMessage();
  CrashMessage(const CrashMessage&) = delete;
  CrashMessage& operator=(const CrashMessage&) = delete;
};

}  // namespace coterie::sim
