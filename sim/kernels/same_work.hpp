#pragma once

#include "core/schedule.hpp"

namespace coterie::sim {

/// Whether the kernels of two schedules give the same work for the same capacities, to the last bit: each worker ends
/// the same tasks at the same times, and the pieces are the same or, if there are few sizes (PieceSizes), others of the
/// same sizes. Schedules that are equivalent in other ways (with lists in another order, for example) count as
/// different.
bool complete_the_same_work(const Schedule& a, const Schedule& b);

}  // namespace coterie::sim
