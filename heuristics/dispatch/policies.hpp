#pragma once

#include <string>
#include <vector>

#include "core/errors.hpp"
#include "heuristics/dispatch/planning_runs.hpp"
#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// What a policy is made for.
struct DispatchQuestion {
  PlanCache& plans;  ///< of static schedules for the same workers and work; what it holds outlives the policy's makers
  Listening listening;
  StreamKey planning;  ///< of random numbers for planning runs
  Zones zones = {};    ///< of the workers, in planning runs; `plans` puts its schedules in them
};

/// A way to hand out work by what is heard: one row.
struct ListeningStrategy {
  std::string name;
  std::string summary;
  std::string source;
  PolicyMaker (*prepare)(const DispatchQuestion& question);
};

const std::vector<ListeningStrategy>& listening_strategies();

/// The lists of a static schedule, without what is known to be complete. Throws InputError where the orders are drawn
/// anew for each instance.
PolicyMaker skipping(const Plan& plan);

}  // namespace coterie::heuristics
