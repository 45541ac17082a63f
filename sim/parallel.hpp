#pragma once

#include <cstddef>
#include <functional>

namespace coterie::sim {

/// Runs task(0), task(1), ... below `count` on the threads, beginning them in this order, until `go_on` says no; what
/// was begun is finished. Returns how many were run: they are the first ones. Exceptions do not cross the parallel
/// region: none is begun after one, and of those thrown the one of the lowest task is thrown again behind it.
std::size_t parallel_prefix(std::size_t count, int threads, const std::function<bool()>& go_on,
                            const std::function<void(std::size_t)>& task);

/// The same for all of them.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

/// `threads` as given, or as many as the machine has cores where it is 0.
int thread_count(int threads);

}  // namespace coterie::sim
