#include "sim/run/memory_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

namespace coterie::sim {
namespace {

#ifndef __has_feature
#define __has_feature(name) 0  // g++ tells by macros
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace

void limit_memory(int threads) {
  static const rlimit before = [] {  // of the user's
    rlimit limit = {};
    if (getrlimit(RLIMIT_DATA, &limit) != 0) limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
    return limit;
  }();
  if (kSanitized) return;
  constexpr rlim_t kGigabyte = rlim_t{1} << 30;
  rlimit limit = before;
  limit.rlim_cur =
      std::min(limit.rlim_cur, kGigabyte * static_cast<rlim_t>(kMemoryGigabytes + kMemoryGigabytesOfThread * threads));
  setrlimit(RLIMIT_DATA, &limit);
}

std::string out_of_memory() {
  return fmt::format(
      "out of memory: more than {} GiB plus {} GiB per thread is needed, or more than is available; ask for fewer "
      "workers, chunks, instances, trials, configurations or threads",
      kMemoryGigabytes, kMemoryGigabytesOfThread);
}

}  // namespace coterie::sim
