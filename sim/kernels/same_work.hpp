#pragma once

#include "core/schedule.hpp"

namespace coterie::sim {

/// Whether the kernels of two schedules say the same for the same capacities, to the last bit: workers end as many
/// tasks at the same times, of the same pieces or of pieces of the same sizes under other names. Says no where that
/// takes long to see.
bool complete_the_same_work(const Schedule& a, const Schedule& b);

}  // namespace coterie::sim
