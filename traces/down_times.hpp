#pragma once

#include "traces/durations.hpp"

namespace coterie::traces {

/// How long hosts stayed away after an interruption: from the end of a spell to the host's next one. Of a host that
/// did not return, the time until the recording ends, as censored. Throws InputError if a spell has no host or no
/// start, if a host is up twice at the same time, or if no host returns.
Durations down_times(const AvailabilityTrace& trace);

}  // namespace coterie::traces
