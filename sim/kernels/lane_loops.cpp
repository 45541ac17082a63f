#include "sim/kernels/lane_loops.hpp"

#include "core/instruction_set.hpp"

namespace coterie::sim {

extern const LaneLoops kPortableLaneLoops;
#ifdef COTERIE_X86_LOOPS
extern const LaneLoops kAvx2LaneLoops;
extern const LaneLoops kAvx512LaneLoops;
#endif

namespace {

const LaneLoops& lane_loops_of(InstructionSet set) {
#ifdef COTERIE_X86_LOOPS
  if (set == InstructionSet::kAvx2) return kAvx2LaneLoops;
  if (set == InstructionSet::kAvx512) return kAvx512LaneLoops;
#endif
  static_cast<void>(set);
  return kPortableLaneLoops;
}

}  // namespace

std::vector<const LaneLoops*> usable_lane_loops() {
  std::vector<const LaneLoops*> usable;
  for (const InstructionSet set : usable_instruction_sets()) usable.push_back(&lane_loops_of(set));
  return usable;
}

const LaneLoops& best_lane_loops() { return lane_loops_of(best_instruction_set()); }

}  // namespace coterie::sim
