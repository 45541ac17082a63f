#pragma once

#include <string>

namespace coterie::sim {

/// While one exists, a failed memory request ends the process immediately, with exit code 1 and a message. Files are
/// safe at every moment, but after such a failure libraries would continue with partial data (streams), crash (JSON
/// values, HDF5) or end the process without a message (HDF5, whose requests are seen if it is linked in). For main
/// programs.
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  /// Advice for the message. Call it from one thread, before others are started.
  static void set_advice(const std::string& advice);
};

}  // namespace coterie::sim
