#pragma once

#include <map>

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// The plans of one problem at one granularity, each built once: refined and best start from the plans of other
/// strategies, which a campaign often runs, too.
class PlanCache {
 public:
  using Builder = Plan (*)(PlanCache& book);

  PlanCache(const WorksharingProblem& problem, const Granularity& granularity)
      : problem_(problem), granularity_(granularity) {}

  const WorksharingProblem& problem() const { return problem_; }
  const Granularity& granularity() const { return granularity_; }
  /// The plan of `builder`, built on the first call; what a builder throws it throws at each call.
  const Plan& get(Builder builder);

 private:
  WorksharingProblem problem_;
  Granularity granularity_;
  std::map<Builder, Plan> plans_;
};

/// A builder that needs no other plan.
template <Plan (*build)(const WorksharingProblem&, const Granularity&)>
Plan alone(PlanCache& book) {
  return build(book.problem(), book.granularity());
}

}  // namespace coterie::heuristics
