#pragma once

#include "core/schedule.hpp"

namespace coterie::sim {

/// Whether the kernels of two schedules say the same for the same capacities, to the last bit: each worker ends the
/// same tasks at the same times, the pieces being the same or, where they are of few sizes (PieceSizes), others of
/// those sizes. Schedules that are alike in other ways (lists in another order, say) are told apart.
bool complete_the_same_work(const Schedule& a, const Schedule& b);

}  // namespace coterie::sim
