#include "core/vector_loops.hpp"

namespace coterie {

extern const VectorLoops kPortableVectorLoops;
#ifdef COTERIE_X86_LOOPS
extern const VectorLoops kAvx2VectorLoops;
extern const VectorLoops kAvx512VectorLoops;
#endif

const VectorLoops& vector_loops_of(InstructionSet set) {
#ifdef COTERIE_X86_LOOPS
  if (set == InstructionSet::kAvx2) return kAvx2VectorLoops;
  if (set == InstructionSet::kAvx512) return kAvx512VectorLoops;
#endif
  static_cast<void>(set);
  return kPortableVectorLoops;
}

const VectorLoops& vector_loops() {
  static const VectorLoops& best = vector_loops_of(best_instruction_set());
  return best;
}

}  // namespace coterie
