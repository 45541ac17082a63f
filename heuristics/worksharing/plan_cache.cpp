#include "heuristics/worksharing/plan_cache.hpp"

namespace coterie::heuristics {

const Plan& PlanCache::get(Builder builder) {
  const auto known = plans_.find(builder);
  if (known != plans_.end()) return known->second;
  Plan plan = builder(*this);  // may ask this book for others
  return plans_.emplace(builder, std::move(plan)).first->second;
}

}  // namespace coterie::heuristics
