#pragma once

#include <string>
#include <vector>

#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

/// A way to share a workload among workers that may be interrupted.
struct Strategy {
  std::string name;
  std::string summary;
  std::string source;  ///< where it comes from
  PlanCache::Builder builder;
  /// Throws InputError for problems that the strategy cannot handle, as far as that is known without planning; null: it
  /// handles all.
  void (*refuse)(const WorksharingProblem& problem, const Granularity& granularity) = nullptr;

  Plan build(const WorksharingProblem& problem, const Granularity& granularity) const {
    PlanCache cache(problem, granularity);
    return builder(cache);
  }
};

const std::vector<Strategy>& worksharing_strategies();

/// Throws InputError at `place` for a name that is not in the table.
const Strategy& worksharing_strategy(const std::string& name, const Place& place = {});

}  // namespace coterie::heuristics
