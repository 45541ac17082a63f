#pragma once

#include <string>

#include "sim/files/file_calls.hpp"

namespace coterie::sim {

/// A file open for writing, made if there is none, and locked by the system until destruction. It is the one that has
/// this name: whoever held the lock before may have removed or renamed it.
class LockedFile {
 public:
  enum class Held { kWait, kFail };                ///< where somebody else holds the lock
  LockedFile(const std::string& path, Held held);  ///< throws what create_file does
  int descriptor() const { return file_.get(); }
  /// Why it is not locked, as in errno; 0 where it is.
  int failure() const { return failure_; }

 private:
  Descriptor file_;
  int failure_ = 0;
};

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
  LockedFile file_;
};

}  // namespace coterie::sim
