#pragma once

#include "core/zones.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// --zones (default 1) and --common (default 0). Throws InputError.
Zones zones_of(const Options& options);

}  // namespace coterie::sim
