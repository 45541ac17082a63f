#pragma once

#include <string>

namespace coterie::sim {

/// The memory that the program may use, in GiB: a fixed part, and a part for each thread, which holds a configuration.
inline constexpr int kMemoryGigabytes = 4;
inline constexpr int kMemoryGigabytesOfThread = 2;

/// Limits the memory of the process: requests for more are refused (std::bad_alloc), so that a small input cannot fill
/// the machine. Lower limits set by the user stay. Without effect in builds with sanitizers, which reserve terabytes.
void limit_memory(int threads);

/// The message when memory was refused.
std::string out_of_memory();

}  // namespace coterie::sim
