#pragma once

#include <memory>
#include <vector>

#include "heuristics/dispatch/policies.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Work completed by workers that may be interrupted where what has been completed is heard of: static schedules of
/// `strategies`, these with what is known to be complete left out, and `policies`, on the instances of the model
/// worksharing.
std::unique_ptr<const Model> make_dispatch_model(std::vector<heuristics::Strategy> strategies,
                                                 std::vector<heuristics::ListeningStrategy> policies);

}  // namespace coterie::sim
