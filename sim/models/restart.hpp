#pragma once

#include <memory>
#include <vector>

#include "heuristics/restart/restart_policies.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// One job that goes on from its last checkpoint on the next machine, on spot alone or also on-demand (SpotMarket,
/// MarketJob). An instance is when spot is there. Ratio = the omniscient's time (metric "time": on spot alone) or cost
/// (metric "cost": within the deadline, on both markets) / the strategy's: 1 is best. A job that is late is worth 0.
/// Measured: when the job ends, time of rented machines, and what was lost. [Young 1974; Daly 2006; Wu et al. 2024]
std::unique_ptr<const Model> make_restart_model(std::vector<heuristics::RestartStrategy> strategies);

}  // namespace coterie::sim
