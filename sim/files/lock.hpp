#pragma once

#include <string>

namespace coterie::sim {

/// A file open for writing, made if there is none, and locked by the system until destruction. It is the one that has
/// this name: whoever held the lock before may have removed or renamed it.
class LockedFile {
 public:
  enum class Held { kWait, kFail };  ///< where somebody else holds the lock
  LockedFile(const std::string& path, Held held);
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  int descriptor() const { return file_; }
  /// Why it is not open, or else not locked, as in errno; 0 where it is both.
  int failure() const { return failure_; }

 private:
  int file_ = -1;
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
