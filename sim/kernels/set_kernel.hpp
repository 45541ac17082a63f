#pragma once

#include <memory>

#include "sim/kernels/kernel.hpp"
#include "sim/kernels/schedule_lists.hpp"

namespace coterie::sim {

/// For each list and number of tasks (for every eighth number, if there are more than 512 pieces and tasks have one
/// each) the set of completed pieces, as bits; the sets of workers that share pieces (a coterie) are joined by OR and
/// counted. For group schedules, and any other. Returns nothing if the sets would take more than 64 MiB or there are
/// more than PieceSizes::kMost sizes of pieces, nor, as the cheapest evaluation, if marks cost less.
std::unique_ptr<Kernel> make_set_kernel(const Schedule& schedule, const PieceSizes& sizes,
                                        const CompileOptions& options, const LaneLoops& loops);

/// Marks pieces one by one: the reference for the other kernels, and for schedules that none of them can handle.
std::unique_ptr<Kernel> make_mark_kernel(const Schedule& schedule, const PieceSizes& sizes, const LaneLoops& loops);

}  // namespace coterie::sim
