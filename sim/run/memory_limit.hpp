#pragma once

#include <string>

namespace coterie::sim {

/// What the program may use, in GiB: so much, and more for each of its threads, which hold a configuration each.
inline constexpr int kMemoryGigabytes = 4;
inline constexpr int kMemoryGigabytesOfThread = 2;

/// From here on the process gets no more memory than that: what asks for more is refused before it is there
/// (std::bad_alloc), so that no small input fills a machine. Lower limits that the user has set stay. Without effect in
/// builds with sanitizers, which reserve terabytes for themselves.
void limit_memory(int threads);

/// What is told where memory was refused.
std::string out_of_memory();

}  // namespace coterie::sim
