#pragma once

#include <span>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/dispatch/heard.hpp"
#include "heuristics/dispatch/listening_strategy.hpp"
#include "heuristics/dispatch/spells.hpp"

namespace coterie::heuristics {

/// Instances on which policies are compared before they are used, with random numbers of their own.
class PlanningRuns {
 public:
  /// `key`: of streams that no instance of a campaign draws from. `zones`: in which the workers live.
  /// `availability`: of workers that come back, or null.
  PlanningRuns(const WorksharingProblem& problem, const Listening& listening, const StreamKey& key,
               const Zones& zones = {}, const Availability* availability = nullptr)
      : problem_(problem), listening_(listening), key_(key), zones_(zones), availability_(availability) {}

  /// The one that completes most work in the mean of the same instances; of those that complete the same, the one that
  /// is done first in the mean (where not all is, when the last worker is gone); of those that are as good, the first.
  /// Those that are behind the leader by more than 4 standard errors are not run to the end. `instances` at most, and
  /// no more from `least` on once there were `most_events` in all. `unseen`: work by which an instance like none so far
  /// may be for one that is behind, which is given up only where that would not help.
  std::size_t best(const std::vector<PolicyMaker>& policies, std::size_t instances, std::size_t least = 1,
                   std::size_t most_events = kMostEvents, double unseen = 0) const;
  static constexpr std::size_t kMostEvents = 3'000'000;

  /// `instances` for 25 to 50 workers, more for fewer and fewer for more, as they take longer; at least `least`.
  std::size_t affordable(std::size_t instances, std::size_t least) const;

 private:
  /// One uniform a worker, then one a zone where zones bind, joined as for instances of a campaign. Fills in `spells`
  /// where workers come back.
  void draw(std::uint64_t instance, std::span<double> lives, Spells& spells) const;

  const WorksharingProblem& problem_;
  Listening listening_;
  StreamKey key_;
  Zones zones_;
  const Availability* availability_;
};

}  // namespace coterie::heuristics
