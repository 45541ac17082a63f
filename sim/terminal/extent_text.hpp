#pragma once

#include <string>

#include "sim/campaign/shard.hpp"
#include "sim/statistics/precision.hpp"

namespace coterie::sim {

/// "8 configurations x 3 strategies x 500 instances", and how far a precision or a shard goes.
std::string extent_text(const Campaign& campaign, const ResultExtent& extent, const Shard& shard = {});

}  // namespace coterie::sim
