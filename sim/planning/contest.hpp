#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/campaign/catalogue.hpp"
#include "sim/fleet/fleet_run.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/planning/choice.hpp"
#include "sim/planning/situation.hpp"

namespace coterie::sim {

/// How many machines there are of each group.
using Counts = std::vector<std::size_t>;

/// One way to do the work: a policy on a number of machines, with its runs so far.
struct Contender {
  std::string name;  ///< of the policy
  Counts counts;
  std::size_t rank = 0;  ///< the plainer policy has the smaller one
  std::shared_ptr<const Fleet> fleet;
  std::shared_ptr<const FleetPolicy> policy;
  std::vector<FleetOutcome> looked;  ///< runs 0, 1, ..., on which contenders are compared
  Outcomes proof;                    ///< of fresh runs
};

/// Compares ways to do the work on the same random numbers.
class Contest {
 public:
  using Tell = std::function<void(const std::string& stage)>;

  Contest(const Situation& situation, const Catalogue& catalogue, Tell tell);

  /// The policies that apply, the plainest first.
  const std::vector<std::string>& policies() const { return policies_; }
  /// The policy that numbers of machines are compared with: the last one that listens, else the last.
  const std::string& searching_policy() const { return policies_[search_]; }
  std::size_t full_runs(const Counts& counts) const;

  /// Planned for the counts. `effort`: of planning runs, as a multiple of the usual one.
  Contender contender(const std::string& policy, const Counts& counts, double effort = 1);
  /// Runs it up to this number of runs in all.
  void look(Contender& one, std::size_t runs) const;
  /// What came of those runs; a deadline counts as met if it is in as many of them as asked.
  Outcomes looked(const Contender& one) const;
  /// Runs it on fresh numbers.
  void prove(Contender& one) const;
  const ChoiceQuestion& question() const { return question_; }
  const Situation& situation() const { return situation_; }
  void tell(const std::string& stage) const { tell_(stage); }

  /// The order of the choice for what these contenders are worth.
  Choice choose(std::vector<Contender>& contenders, bool proven) const;

 private:
  struct PlannedFor {
    Counts counts;
    double effort;
    bool listens;
    auto operator<=>(const PlannedFor&) const = default;
  };
  /// Policies that have their plans in common.
  FleetPolicies& policies_for(const PlannedFor& planned);

  const Situation& situation_;
  const Catalogue& catalogue_;
  std::shared_ptr<ScheduleLibrary> schedules_;
  std::map<PlannedFor, FleetPolicies> made_;
  Tell tell_;
  ChoiceQuestion question_;
  std::vector<std::string> policies_;
  std::size_t search_ = 0;
};

/// All policies on so many machines, each proven on fresh runs: those that are far behind are dropped after a first
/// look. In the order of the choice.
std::vector<Contender> compare_policies(Contest& contest, const Counts& counts);

/// The numbers of machines that meet the deadline for the least cost, the best first; none meets it: the nearest.
/// Successive halving over numbers that lie ever closer, on the same random numbers for all.
std::vector<Counts> find_counts(Contest& contest);

/// What it takes to meet a deadline that these machines do not meet: more of all but the fallback groups, with the
/// policy that numbers are compared with; nothing if 64 times as many are not enough.
std::optional<Counts> enough_machines(Contest& contest, const Counts& counts);

}  // namespace coterie::sim
