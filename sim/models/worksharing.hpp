#pragma once

#include <memory>
#include <vector>

#include "heuristics/worksharing/registry.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Work completed by static schedules, each made by one of `strategies`, on workers that may be interrupted, against an
/// omniscient master. [worksharing-2013, Sections 6 and 7]
std::unique_ptr<const Model> make_worksharing_model(std::vector<heuristics::Strategy> strategies);

}  // namespace coterie::sim
