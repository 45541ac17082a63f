#pragma once

#include <vector>

namespace coterie {

/// What loops are compiled for (vectors.hpp). All give the same bits.
enum class InstructionSet { kPortable, kAvx2, kAvx512 };

const char* name_of(InstructionSet set);  ///< portable, avx2, avx512
/// Those that this machine can run, the portable one first.
std::vector<InstructionSet> usable_instruction_sets();
/// The last of them, or the one that the environment variable COTERIE_LOOPS names.
/// Throws InputError for a name that this machine cannot run.
InstructionSet best_instruction_set();

}  // namespace coterie
