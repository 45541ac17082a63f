#pragma once

#include "sim/model.hpp"

namespace coterie::sim {

/// Work completed by static schedules on workers that may be interrupted, against an omniscient master.
/// [worksharing-2013, Sections 6 and 7]
const Model& worksharing_model();

}  // namespace coterie::sim
