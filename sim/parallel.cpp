#include "sim/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace coterie::sim {

std::size_t parallel_prefix(std::size_t count, int threads, const std::function<bool()>& go_on,
                            const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr first;
  std::size_t first_index = count;
#pragma omp parallel num_threads(threads)
  while (!failed && next < count && go_on()) {
    const std::size_t i = next++;
    if (i >= count) break;
    try {
      task(i);
    } catch (...) {
#pragma omp critical(coterie_first_exception)
      if (i < first_index) {
        first_index = i;
        first = std::current_exception();
      }
      failed = true;
    }
  }
  if (first) std::rethrow_exception(first);
  return std::min<std::size_t>(next, count);
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  parallel_prefix(
      count, threads, [] { return true; }, task);
}

int thread_count(int threads) { return threads > 0 ? threads : omp_get_max_threads(); }

}  // namespace coterie::sim
