#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/sampling/background.hpp"
#include "sim/sampling/exact_capacities.hpp"
#include "sim/sampling/sampled_times.hpp"

namespace coterie::sim {

struct NamedPlan {
  std::string name;
  heuristics::Plan plan;
};

/// What plans meet in an instance.
struct WorksharingInstances {
  SampledTimes times;
  std::shared_ptr<const Background> background;  ///< may be none
  std::uint64_t seed = 0;
  std::uint64_t identity = 0;  ///< of the random numbers
  Place background_place;      ///< where the user wrote it
};

/// Plans ready to be run on instances. They are made for `problem.risk` and its `worker_risks` (null: not all for the
/// same); `capacities` caches what is known about the background. Throws InputError if these plans cannot be run with
/// the background.
std::unique_ptr<Trial> make_worksharing_trial(const heuristics::WorksharingProblem& problem,
                                              const std::vector<NamedPlan>& plans, WorksharingInstances instances,
                                              ExactCapacities& capacities);

}  // namespace coterie::sim
