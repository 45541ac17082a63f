#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "heuristics/dispatch/listening_strategy.hpp"
#include "heuristics/dispatch/planning_runs.hpp"
#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// What a policy is made for.
struct DispatchQuestion {
  PlanCache& plans;  ///< of static schedules for the same workers and work; its contents outlive the policy's makers
  Listening listening;
  StreamKey planning;  ///< for the random numbers of planning runs
  Zones zones = {};    ///< of the workers, in planning runs; `plans` places its schedules in them
  const Availability* availability = nullptr;  ///< of workers that come back; null: each is interrupted once, forever
  ForEach for_each = one_by_one;               ///< runs the policies in planning runs
  double effort = 1;                           ///< in planning runs: their number, as a multiple of the usual one
  std::shared_ptr<const Crew> crew = nullptr;  ///< of the workers; with their availability
  /// The policy makers built so far for this question, by name.
  std::shared_ptr<std::map<std::string, PolicyMaker>> made = std::make_shared<std::map<std::string, PolicyMaker>>();
};

const std::vector<ListeningStrategy>& listening_strategies();

/// The lists of a static schedule, without what is known to be complete. Throws InputError if the orders are drawn
/// anew for each instance.
PolicyMaker skipping(const Plan& plan);

}  // namespace coterie::heuristics
