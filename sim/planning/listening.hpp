#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/dispatch/policy_plan.hpp"
#include "heuristics/dispatch/spells.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/share_estimate.hpp"

namespace coterie::sim {

/// What is asked of work that is handed out by what is heard. In the question's units: the time that one machine needs
/// for all of the work is 1.
struct ListeningQuestion {
  double latency = 0;              ///< a completed chunk, and an interruption, are known that much later
  std::optional<double> deadline;  ///< when all should be done
  double confidence = 0.95;        ///< with what probability all should be done by then, in (0, 1)
  std::uint64_t instances = 1000;  ///< simulated, the same for all ways
  std::vector<std::string> policies = {"help", "central", "adaptive"};  ///< beside the plan itself
  /// From then on nothing counts, and no machine is up: the risks of the question are cut there.
  double horizon = std::numeric_limits<double>::infinity();
  /// Of machines that come back, by their risks (one each, or one for all); null: they do not.
  std::function<std::shared_ptr<const heuristics::Availability>(const std::vector<RiskPtr>&)> availability = {};
};

/// Until when a share of the runs has everything done; infinite where fewer ever do.
struct DoneTimes {
  double half = std::numeric_limits<double>::infinity();
  double nine_tenths = half;
  double nineteen_twentieths = half;
  double confident = half;  ///< the share that ListeningQuestion::confidence says
};

/// One way to hand out the work, and what comes of it.
struct ListeningOption {
  std::string name;
  bool listens = true;
  double completed = 0;                    ///< of the work, on average
  double completion = 0;                   ///< share of the runs in which everything is done
  std::optional<ShareEstimate> in_time{};  ///< share of the runs in which it is done by the deadline
  DoneTimes done = {};
  double machine_time = 0;                    ///< that machines computed, start-up costs included, on average
  double wasted = 0;                          ///< of these, what was lost, dropped or complete before
  bool keeps_lambda = true;                   ///< whether no worker is given more than PlanQuestion::lambda allows
  std::optional<double> completed_in_time{};  ///< of the work, by the deadline, on average
  heuristics::PolicyPlan goes_by = {};        ///< what was chosen for a policy in planning runs

  /// Work that counts: where there is a deadline, what is done by then.
  double counted() const { return completed_in_time.value_or(completed); }
};

/// What listening is worth.
struct ListeningAnswer {
  ListeningQuestion question;
  /// The chosen plan as it is; where there is a deadline and another static strategy keeps it more often, the one that
  /// does most often; then what listens.
  std::vector<ListeningOption> options;
  std::vector<ListeningOption> if_gone;  ///< the same where PlanQuestion has that, else none
};

/// Why listening is not looked at: "" where it can be, "background-jobs" or "tasks" (the plan has too many).
std::string no_listening(const PlanAnswer& answer);

/// The chosen plan as it is; the same without what is known to be complete; and the policies help, central and
/// adaptive, planned for how long machines stay. Throws InputError beside background jobs.
ListeningAnswer listen(const PlanAnswer& answer, const ListeningQuestion& question);

/// The one that does most work that counts; of those that do about as much (kNegligibleGain) the one that computes
/// least.
const ListeningOption& most_done(const std::vector<ListeningOption>& options);
/// The one that is in time most often; of equals the one that computes least. All have `in_time`.
const ListeningOption& most_in_time(const std::vector<ListeningOption>& options);

/// Of times of which some may be infinite; not empty.
DoneTimes done_times(std::vector<double> makespans, double confidence);

}  // namespace coterie::sim
