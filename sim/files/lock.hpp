#pragma once

#include <string>

#include "sim/files/file_calls.hpp"

namespace coterie::sim {

/// Keeps a second run away from an output: holds FILE.lock, empty and locked by the system, so that a killed run leaves
/// no stale lock. Removed at the end. Removes what killed runs left of a file that was to become the output.
class OutputLock {
 public:
  /// Throws RuntimeError if another run holds it or the folder is not writable, InputError if something else has the
  /// name of the lock.
  explicit OutputLock(const std::string& output);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::string path_;
  Descriptor file_;
};

}  // namespace coterie::sim
