#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/dispatch/planning_runs.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/sampling/sampled_times.hpp"

namespace coterie::sim {

/// A strategy: a plan that does not use news, or a policy.
struct DispatchColumn {
  std::string name;
  std::optional<heuristics::Plan> plan;
  heuristics::PolicyMaker policy;
  bool is_strategy = true;  ///< whether the policy is that of the strategy `name` for the question of the trial
};

struct DispatchTrialParts {
  heuristics::WorksharingProblem problem;  ///< with the risks of the workers
  heuristics::Listening listening;
  std::optional<SampledTimes> times;                             ///< always set
  std::shared_ptr<const heuristics::Availability> availability;  ///< null: workers do not come back
  std::shared_ptr<const heuristics::Crew> crew;                  ///< of the workers, with an availability; or null
  std::vector<DispatchColumn> columns;
  std::uint64_t seed = 0;
  std::uint64_t identity = 0;
  Place place;  ///< for messages about a policy
};

/// Whether instances of a schedule are run: of more than 2 million tasks, one would take seconds.
bool is_measured(const Schedule& schedule);

/// Ready to be run on instances. Plans run exactly as in the model worksharing, to the last bit.
std::unique_ptr<Trial> make_dispatch_trial(DispatchTrialParts parts);

}  // namespace coterie::sim
