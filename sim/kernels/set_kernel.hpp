#pragma once

#include <memory>

#include "sim/kernels/kernel.hpp"
#include "sim/kernels/schedule_lists.hpp"

namespace coterie::sim {

/// For each list and number of tasks the set of pieces done, as bits; the sets of workers that share pieces (a coterie)
/// are joined by OR and counted. For group schedules, and any other.
/// Nothing where the sets would take more than 64 MiB or there are more than PieceSizes::kMost sizes of pieces.
std::unique_ptr<Kernel> make_set_kernel(const Schedule& schedule, const CapacityGrid& grid, const LaneLoops& loops);

/// Pieces marked one by one: what the others are checked against, and for schedules that none of them can take.
std::unique_ptr<Kernel> make_mark_kernel(const Schedule& schedule, const LaneLoops& loops);

}  // namespace coterie::sim
