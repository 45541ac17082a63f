#include "heuristics/worksharing/plan_cache.hpp"

#include "heuristics/worksharing/group_schedule.hpp"

namespace coterie::heuristics {

PlanCache::PlanCache(const WorksharingProblem& problem, const Granularity& granularity, Judge judge,
                     std::shared_ptr<const ZonePlacement> zones)
    : problem_(problem), granularity_(granularity), judge_(std::move(judge)), zones_(std::move(zones)) {
  problem_.unbounded_coteries = coteries_that_fit(problem, granularity);
}

const Plan& PlanCache::get(Builder builder) {
  const auto known = plans_.find(builder);
  if (known != plans_.end()) return known->second;
  Plan plan = builder(*this);  // may ask this cache for others
  return plans_.emplace(builder, std::move(plan)).first->second;
}

}  // namespace coterie::heuristics
