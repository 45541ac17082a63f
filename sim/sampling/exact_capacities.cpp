#include "sim/sampling/exact_capacities.hpp"

#include <cmath>
#include <vector>

#include "core/capacity_law.hpp"

namespace coterie::sim {

double ExactCapacities::expected_work(const Schedule& schedule, std::span<const RiskPtr> risks,
                                      const Background& background) {
  const auto jobs = background.law();
  if (!jobs) return std::nan("");
  const bool always_idle = jobs->arrival == 0 && jobs->initial == 0;  // then neither matters
  if (!always_idle && (background.is_common() || background.has_wall_clock_startup())) return std::nan("");
  // Schedules of about the same length share a law.
  const double limit = std::exp2(std::ceil(std::log2(std::max(last_finish(schedule), 1e-300))));
  std::vector<RiskPtr> laws;
  for (const RiskPtr& risk : risks) {
    laws.push_back(law_of(risk, background, *jobs, limit));
    if (laws.back() == nullptr) return std::nan("");
  }
  return coterie::expected_work(schedule, laws);
}

RiskPtr ExactCapacities::law_of(const RiskPtr& risk, const Background& background, const BackgroundLaw& jobs,
                                double limit) {
  const Key key{risk, background.text(), limit};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = laws_.find(key); found != laws_.end()) return found->second;
  }
  RiskPtr law = exact_capacity_risk(risk, jobs, limit);
  const std::lock_guard lock(mutex_);
  if (laws_.size() >= kMostLaws) laws_.clear();
  laws_[key] = law;
  return law;
}

}  // namespace coterie::sim
