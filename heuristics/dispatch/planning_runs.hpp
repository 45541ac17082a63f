#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/dispatch/heard.hpp"

namespace coterie::heuristics {

/// Makes a policy that is ready to run: one for each thread.
using PolicyMaker = std::function<std::unique_ptr<ListeningPolicy>()>;

/// Instances on which policies are compared before they are used, with random numbers of their own.
class PlanningRuns {
 public:
  /// `key`: of streams that no instance of a campaign draws from. `zones`: in which the workers live.
  PlanningRuns(const WorksharingProblem& problem, const Listening& listening, const StreamKey& key,
               const Zones& zones = {})
      : problem_(problem), listening_(listening), key_(key), zones_(zones) {}

  /// The one that completes most work in the mean of the same instances; of those that are as good, the first. Those
  /// that are behind the leader by more than 4 standard errors are not run to the end.
  std::size_t best(const std::vector<PolicyMaker>& policies, std::size_t instances) const;

  /// `instances` for 25 to 50 workers, more for fewer and fewer for more, as they take longer; at least `least`.
  std::size_t affordable(std::size_t instances, std::size_t least) const;

 private:
  /// One uniform a worker, then one a zone where zones bind, joined as for instances of a campaign.
  void draw(std::uint64_t instance, std::span<double> lives) const;

  const WorksharingProblem& problem_;
  Listening listening_;
  StreamKey key_;
  Zones zones_;
};

}  // namespace coterie::heuristics
