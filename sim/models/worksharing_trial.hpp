#pragma once

#include <memory>
#include <vector>

#include "heuristics/worksharing/registry.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/sampling/background.hpp"
#include "sim/sampling/exact_capacities.hpp"
#include "sim/sampling/sampled_times.hpp"

namespace coterie::sim {

/// Schedules made by those of `strategies` that the request names, ready to be run. `problem.risk` and its
/// `worker_risks` are what they are made for, `times` is what happens; `background` may be none, `capacities` keeps
/// what is known of it. Throws InputError where a strategy cannot do the problem.
std::unique_ptr<Trial> make_worksharing_trial(const heuristics::WorksharingProblem& problem,
                                              const heuristics::Granularity& granularity, SampledTimes times,
                                              std::shared_ptr<const Background> background, ExactCapacities& capacities,
                                              const std::vector<heuristics::Strategy>& strategies,
                                              const TrialRequest& request);

}  // namespace coterie::sim
