#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/worksharing/zone_placement.hpp"

namespace coterie::heuristics {

/// The plans of one problem at one granularity, each built once: refined and best start from the plans of other
/// strategies, which a campaign often runs too.
class PlanCache {
 public:
  using Builder = Plan (*)(PlanCache& cache);

  /// Chooses the best of several plans if there is a better criterion than the problem's risks; null: by the risks.
  using Judge = std::function<std::size_t(std::span<const Plan* const> plans)>;

  /// Chooses the number of coteries if the problem leaves it open (coteries_that_fit). `zones`: the placement of plans,
  /// or null.
  PlanCache(const WorksharingProblem& problem, const Granularity& granularity, Judge judge = nullptr,
            std::shared_ptr<const ZonePlacement> zones = nullptr);

  const WorksharingProblem& problem() const { return problem_; }
  const Granularity& granularity() const { return granularity_; }
  const Judge& judge() const { return judge_; }
  /// Null if the planner does not know them.
  const ZonePlacement* known_zones() const { return zones_ && zones_->known() ? zones_.get() : nullptr; }
  /// The plan of `builder`, built on the first call; an exception of a builder is thrown at each call.
  const Plan& get(Builder builder);
  /// The same, placed in the zones if there are any.
  Plan placed(Builder builder) { return zones_ ? zones_->placed(get(builder)) : get(builder); }

 private:
  WorksharingProblem problem_;
  Granularity granularity_;
  Judge judge_;
  std::shared_ptr<const ZonePlacement> zones_;
  std::map<Builder, Plan> plans_;
};

/// A builder that does not need other plans.
template <Plan (*build)(const WorksharingProblem&, const Granularity&)>
Plan alone(PlanCache& cache) {
  return build(cache.problem(), cache.granularity());
}

}  // namespace coterie::heuristics
