#pragma once

#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// What a recording had told by a time, in seconds: the spells that had begun by then; those that were still running
/// are censored. Throws InputError if a spell has no start.
AvailabilityTrace known_at(const AvailabilityTrace& trace, double time);

}  // namespace coterie::traces
