#include "sim/kernels/lane_loops.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "core/errors.hpp"

namespace coterie::sim {

extern const LaneLoops kPortableLaneLoops;
#ifdef COTERIE_X86_LOOPS
extern const LaneLoops kAvx2LaneLoops;
extern const LaneLoops kAvx512LaneLoops;
#endif

std::vector<const LaneLoops*> usable_lane_loops() {
  std::vector<const LaneLoops*> usable = {&kPortableLaneLoops};
#ifdef COTERIE_X86_LOOPS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) usable.push_back(&kAvx2LaneLoops);
  if (usable.size() == 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    usable.push_back(&kAvx512LaneLoops);
#endif
  return usable;
}

const LaneLoops& best_lane_loops() {
  const auto usable = usable_lane_loops();
  const char* forced = std::getenv("COTERIE_LOOPS");
  if (forced == nullptr || *forced == '\0') return *usable.back();
  std::string names;
  for (const LaneLoops* loops : usable) {
    if (std::string(forced) == loops->name) return *loops;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", loops->name);
  }
  throw InputError(fmt::format("COTERIE_LOOPS={}: this machine can run {}", forced, names));
}

}  // namespace coterie::sim
