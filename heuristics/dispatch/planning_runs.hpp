#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/dispatch/heard.hpp"
#include "heuristics/dispatch/listening_strategy.hpp"
#include "heuristics/dispatch/spells.hpp"

namespace coterie::heuristics {

/// Runs task(0), ..., task(count - 1), possibly in parallel.
using ForEach = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

inline void one_by_one(std::size_t count, const std::function<void(std::size_t)>& task) {
  for (std::size_t i = 0; i < count; ++i) task(i);
}

/// Instances on which policies are compared before they are used, with separate random numbers.
class PlanningRuns {
 public:
  /// `key`: of streams that no instance of a campaign uses. `zones`: of the workers. `availability`: of workers that
  /// come back, or null. `crew`: of the workers, or null; with an availability. `for_each`:
  /// runs the policies; it does not change results.
  PlanningRuns(const WorksharingProblem& problem, const Listening& listening, const StreamKey& key,
               const Zones& zones = {}, const Availability* availability = nullptr,
               std::shared_ptr<const Crew> crew = nullptr, ForEach for_each = one_by_one)
      : problem_(problem),
        listening_(listening),
        key_(key),
        zones_(zones),
        availability_(availability),
        crew_(std::move(crew)),
        for_each_(std::move(for_each)) {}

  /// The policy with the greatest mean work on the same instances; of equals, the one that finishes first on average
  /// (if not all work is done, at the horizon or, without one, when the last worker is gone); of equals again, the
  /// first. Policies that are behind the leader by more than 4 standard errors are stopped early. At most `instances`
  /// instances, and no more than `least` once there were `most_events` in all (proportionally fewer with more than 100
  /// workers). `unseen`: the most work by which a not yet seen kind of instance may favour a policy that is behind; it
  /// is stopped only if that would not help.
  std::size_t best(const std::vector<PolicyMaker>& policies, std::size_t instances, std::size_t least = 1,
                   std::size_t most_events = kMostEvents, double unseen = 0) const;
  static constexpr std::size_t kMostEvents = 3'000'000;

  /// `instances` for 25 to 50 workers, up to 16 times as many for fewer workers, and fewer for more workers, since
  /// these take longer; a sixteenth of that without a start-up cost; at least `least`.
  std::size_t affordable(std::size_t instances, std::size_t least) const;

  struct Instance {
    std::vector<double> lives;  ///< by worker
    Spells spells;              ///< of workers that come back
    double last = 0;            ///< the time after which nothing is completed
  };

 private:
  DispatchRun run() const;
  /// One uniform per worker, then one per zone if zones bind, combined as for instances of a campaign.
  Instance draw(std::uint64_t instance) const;

  const WorksharingProblem& problem_;
  Listening listening_;
  StreamKey key_;
  Zones zones_;
  const Availability* availability_;
  std::shared_ptr<const Crew> crew_;
  ForEach for_each_;
};

}  // namespace coterie::heuristics
