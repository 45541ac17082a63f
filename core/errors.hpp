#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace coterie {

/// A place in the user's input. Lines and columns count from 1; 0 means "not known".
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;

  /// "campaign.toml:12:3", "campaign.toml:12", "campaign.toml" or "".
  std::string text() const;
};

/// Wrong input: exit code 2. The message says what is wrong and what would be right.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& problem) : std::runtime_error(problem) {}
  InputError(const Place& place, const std::string& problem);
};

/// The environment failed (disk, file, memory): exit code 1.
class RuntimeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The system failed to open or read a file, which may be intact.
class SystemFailure : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

/// A run was stopped before its end and can be resumed: exit code 3.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace coterie
