#include "core/vector_loops.hpp"

namespace coterie {

extern const VectorLoops kPortableVectorLoops;
#ifdef COTERIE_X86_LOOPS
extern const VectorLoops kAvx2VectorLoops;
extern const VectorLoops kAvx512VectorLoops;
#endif

const VectorLoops& vector_loops_of(InstructionSet set) {
  static const VectorLoops* const all[] = {
      &kPortableVectorLoops,
#ifdef COTERIE_X86_LOOPS
      &kAvx2VectorLoops,
      &kAvx512VectorLoops,
#endif
  };
  return *all[static_cast<std::size_t>(set)];
}

const VectorLoops& vector_loops() {
  static const VectorLoops& best = vector_loops_of(best_instruction_set());
  return best;
}

}  // namespace coterie
