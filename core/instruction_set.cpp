#include "core/instruction_set.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "core/errors.hpp"

namespace coterie {

const char* name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::kAvx2:
      return "avx2";
    case InstructionSet::kAvx512:
      return "avx512";
    case InstructionSet::kPortable:
      break;
  }
  return "portable";
}

std::vector<InstructionSet> usable_instruction_sets() {
  std::vector<InstructionSet> usable = {InstructionSet::kPortable};
#ifdef COTERIE_X86_LOOPS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) usable.push_back(InstructionSet::kAvx2);
  if (usable.size() == 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    usable.push_back(InstructionSet::kAvx512);
#endif
  return usable;
}

InstructionSet best_instruction_set() {
  const auto usable = usable_instruction_sets();
  const char* forced = std::getenv("COTERIE_LOOPS");
  if (forced == nullptr || *forced == '\0') return usable.back();
  std::string names;
  for (const InstructionSet set : usable) {
    if (std::string(forced) == name_of(set)) return set;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(set));
  }
  throw InputError(fmt::format("COTERIE_LOOPS={}: this machine can run {}", forced, names));
}

}  // namespace coterie
