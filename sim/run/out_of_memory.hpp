#pragma once

#include <string>

namespace coterie::sim {

/// While this is there, memory that is asked for in vain ends the process, by exit code 1 and a message, as a kill
/// would: files are safe at every moment, but libraries go on with a part of what they were given (streams), crash
/// (JSON values, HDF5) or end the process without a word (HDF5, whose requests are seen where it is linked in). For
/// main programs.
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  /// What helps, to be said then. By one thread, before others are made.
  static void set_advice(const std::string& advice);
};

}  // namespace coterie::sim
