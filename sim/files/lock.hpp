#pragma once

#include <string>

namespace coterie::sim {

/// Keeps a second run away from an output: holds FILE.lock, locked by the system, so that nothing stale stays behind
/// when a run is killed. Removed at the end. Throws RuntimeError where another run holds it or where the folder cannot
/// be written.
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
