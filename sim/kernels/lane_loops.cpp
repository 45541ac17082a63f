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
  static const LaneLoops* const all[] = {
      &kPortableLaneLoops,
#ifdef COTERIE_X86_LOOPS
      &kAvx2LaneLoops,
      &kAvx512LaneLoops,
#endif
  };
  return *all[static_cast<std::size_t>(set)];
}

}  // namespace

std::vector<const LaneLoops*> usable_lane_loops() {
  std::vector<const LaneLoops*> usable;
  for (const InstructionSet set : usable_instruction_sets()) usable.push_back(&lane_loops_of(set));
  return usable;
}

const LaneLoops& best_lane_loops() { return lane_loops_of(best_instruction_set()); }

}  // namespace coterie::sim
