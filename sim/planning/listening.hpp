#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "heuristics/dispatch/policy_plan.hpp"
#include "heuristics/dispatch/spells.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/share_estimate.hpp"

namespace coterie::sim {

/// A question about handing out work by what is heard. In the plan's units: one machine needs time 1 for all of the
/// work.
struct ListeningQuestion {
  double latency = 0;              ///< delay until a completed chunk, or an interruption, is known
  std::optional<double> deadline;  ///< by which all work should be done
  double confidence = 0.95;        ///< required probability that it is, in (0, 1)
  std::uint64_t instances = 1000;  ///< to simulate, the same for all options
  std::vector<std::string> policies = {"help", "central", "adaptive"};  ///< to compare with the plan itself
  /// From this time on nothing counts and no machine is up: the risks of the question are cut there.
  double horizon = kInfinity;
  /// How machines come back, by their risks (one each, or one for all); null: they do not.
  std::function<std::shared_ptr<const heuristics::Availability>(const std::vector<RiskPtr>&)> availability = {};
};

/// Times by which shares of the runs have all work done; infinite if fewer ever do.
struct DoneTimes {
  double half = kInfinity;
  double nine_tenths = half;
  double nineteen_twentieths = half;
  double confident = half;  ///< for the share ListeningQuestion::confidence
};

/// One way to hand out the work, and its outcome.
struct ListeningOption {
  std::string name;
  bool listens = true;
  double completed = 0;                    ///< share of the work, on average
  double completion = 0;                   ///< share of the runs in which all work is done
  std::optional<ShareEstimate> in_time{};  ///< the same by the deadline
  DoneTimes done = {};
  double machine_time = 0;  ///< time that machines computed, with start-up costs, on average
  double wasted = 0;        ///< part of it that was lost, dropped or spent on work already complete
  /// Whether no worker's list has more work than PlanQuestion::lambda allows; without lists, whether all of the work
  /// would not be more.
  bool keeps_lambda = true;
  std::optional<double> completed_in_time{};  ///< share of the work by the deadline, on average
  double gain_error = 0;                      ///< standard error of what counted() is more than the plan's
  heuristics::PolicyPlan goes_by = {};        ///< parameters of a policy, chosen in planning runs

  /// The work that counts: with a deadline, what is done by then.
  double counted() const { return completed_in_time.value_or(completed); }
};

/// What listening is worth.
struct ListeningAnswer {
  ListeningQuestion question;
  /// The chosen plan; the other static strategies if machines come back, otherwise, with a deadline, the static
  /// strategy that meets it most often, if that is another one; then the options that listen.
  std::vector<ListeningOption> options;
  std::vector<ListeningOption> if_gone;  ///< the same for PlanQuestion::if_gone, if it is set
};

/// The number of runs in which a static schedule has all work done by the deadline; where it is open how long some
/// machines stay, in the worse case.
std::size_t runs_in_time(const PlanOption& option, const PlanQuestion& question, const ListeningQuestion& asked);

/// Why listening cannot be examined: "" if it can, "background-jobs", or "tasks" if the plan has too many.
std::string no_listening(const PlanAnswer& answer);

/// Of static schedules that do as much work: one that is done in half of the runs by a time this much shorter is
/// sooner.
inline constexpr double kMuchSooner = 0.99;

/// A deadline decides which static schedule is taken if one of them meets it in this share of the runs, and in more
/// than the one that would be taken without it, by so many standard errors. What listens surely does more work by as
/// many.
inline constexpr double kLikely = 0.5;
inline constexpr double kSurely = 3;

/// Whether `more` of `runs` is surely more than `less` of the same runs, by kSurely.
bool surely_more(double more, double less, double runs);

/// Chooses anew among the static schedules, by simulation, unless the question names a strategy:
/// - if machines come back: of those that do the most work, up to kNegligibleGain, the plainest of those that are done
///   soonest, up to kMuchSooner;
/// - with a deadline: the one that has all work done by then in the most runs, if these are at least kLikely of all and
///   surely more than those of the choice so far.
void choose_by_simulation(PlanAnswer& answer, const ListeningQuestion& question);

/// Compares the chosen plan, the same plan without chunks known to be complete, and the policies help, central and
/// adaptive, planned for how long machines stay. Throws InputError with background jobs.
ListeningAnswer listen(const PlanAnswer& answer, const ListeningQuestion& question);

/// The option that does the most work that counts; of those that do about as much (kNegligibleGain), the one that
/// computes least.
const ListeningOption& most_done(const std::vector<ListeningOption>& options);
/// The option that is in time most often; of equals, the one that computes least. All must have `in_time`.
const ListeningOption& most_in_time(const std::vector<ListeningOption>& options);

/// From makespans, some of which may be infinite; not empty.
DoneTimes done_times(std::vector<double> makespans, double confidence);

}  // namespace coterie::sim
