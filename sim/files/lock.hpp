#pragma once

#include <string>

namespace coterie::sim {

/// Keeps a second run away from an output: holds FILE.lock, locked by the system, so that a killed run leaves no stale
/// lock. Removed at the end. Throws RuntimeError if another run holds it or the folder is not writable.
class OutputLock {
 public:
  explicit OutputLock(const std::string& output);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace coterie::sim
