#pragma once

#include <memory>
#include <vector>

#include "heuristics/dispatch/policies.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Work completed by workers that may be interrupted, with news of what has been completed: static schedules of
/// `strategies`, the same without what is known to be complete, and `policies`, on the instances of the model
/// worksharing.
std::unique_ptr<const Model> make_dispatch_model(std::vector<heuristics::Strategy> strategies,
                                                 std::vector<heuristics::ListeningStrategy> policies);

}  // namespace coterie::sim
