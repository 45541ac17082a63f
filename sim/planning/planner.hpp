#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "sim/campaign/catalogue.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/sampling/background.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// How long machines stay.
struct Lives {
  RiskPtr planned;             ///< of a worker about whom no more is known
  std::vector<RiskPtr> risks;  ///< of the workers: one for all, or one each
};

/// A workload and the machines for it. The unit of work is the whole workload, and the unit of time is what one machine
/// needs for it: strategies choose their chunks best at that scale.
struct PlanQuestion {
  const Catalogue* catalogue = &Catalogue::own();  ///< of strategies
  std::size_t workers = 1;
  double startup_cost = 0;  ///< of a chunk
  double lambda = 1;        ///< its quantile of the risk is maxsl: WorksharingProblem
  Lives lives;
  /// For a trace that does not tell how long its longest spells would have lasted (`lives`: for ever): the lives if all
  /// of these end at the last time seen.
  std::optional<Lives> if_gone;
  Zones zones = {};                              ///< of the workers; not with a background
  std::shared_ptr<const Background> background;  ///< or null
  std::string strategy;                          ///< "": the best of considered_strategies()
  std::shared_ptr<ScheduleLibrary> schedules =
      std::make_shared<ScheduleLibrary>("");  ///< holds the schedule if the strategy is a file
  heuristics::Granularity granularity;
  std::shared_ptr<heuristics::SliceCache> memory = std::make_shared<heuristics::SliceCache>();  ///< of all plans
  std::uint64_t seed = 1;
  std::uint64_t instances = 10000;  ///< simulated
};

/// The outcome of a plan.
struct PlanOutcome {
  double expected_work = 0;  ///< exact where it is known, else the mean of the simulation
  Summary simulated;         ///< of the work that gets done
  double completion = 0;     ///< share of the simulated instances in which all work gets done
};

/// One way to do the work, and its outcome if machines stay as `lives` of the question says.
struct PlanOption : PlanOutcome {
  std::string strategy;
  heuristics::Plan plan;
  std::optional<PlanOutcome> if_gone;  ///< where the question has that
  /// Its expected work as a share of the best option's; where lives are left open, the smaller of the two shares.
  double assured = 1;
  bool keeps_lambda = true;  ///< where lives are left open, if none stays longer than was seen
};

/// The schedules of a question, each built once: for machines that stay as `lives` says, then, if it is given, as
/// `if_gone` says.
using PlanCaches = std::vector<std::shared_ptr<heuristics::PlanCache>>;

/// Why a plan was chosen.
enum class ChosenBy {
  kExpectedWork,
  kReturns,  ///< simulated, for machines that come back
  kDeadline  ///< simulated, it meets the deadline more often than the one that would have been taken without
};

struct PlanAnswer {
  PlanQuestion question;
  heuristics::WorksharingProblem problem;  ///< what the schedules were made for
  PlanCaches plans;                        ///< every schedule that was built
  std::vector<PlanOption> options;         ///< always no-replication and brute among them
  std::size_t chosen = 0;
  ChosenBy chosen_by = ChosenBy::kExpectedWork;
  /// Expected work that no static schedule can exceed, if machines stay as `lives` says, and as `if_gone` says; nothing
  /// with background jobs and for very many unlike machines, where it is not known.
  std::optional<double> static_ceiling = {};
  std::optional<double> static_ceiling_if_gone = {};

  const PlanOption& choice() const { return options[chosen]; }
  const PlanOption& option(const std::string& strategy) const;
};

/// What a trace leaves open.
struct OpenTail {
  double share = 0;      ///< of the machines whose end is not known
  double last_seen = 0;  ///< how long after the start any was watched; infinite where other machines have no last time
};
/// Nothing where the question leaves nothing open.
std::optional<OpenTail> open_tail(const PlanQuestion& question);

/// A relative gain in expected work below this counts as none, and the plainer strategy is chosen.
inline constexpr double kNegligibleGain = 1e-3;

/// The strategies from which a plan is chosen, the plainest first: a later one is taken if it expects 0.1 % more than
/// the one taken so far.
const std::vector<std::string>& considered_strategies();

/// The schedules of all strategies that a question considers, not simulated yet: one each, or, where it is open how
/// long some machines stay, two each, one after the other. Throws InputError as answer() does.
std::vector<PlanOption> planned_options(const PlanQuestion& question, const PlanCaches& plans);
/// The same, but of two only the one that answer() keeps if asked for this strategy. Not with a background.
std::vector<PlanOption> options_if_asked_for(const PlanQuestion& question, const PlanCaches& plans);
PlanCaches plan_caches(const PlanQuestion& question);

/// Builds the schedules, chooses one that no other exceeds in expected work by more than kNegligibleGain (see
/// considered_strategies()), and simulates all of them on the same instances. Without background jobs, schedules are
/// made for the risks of all workers; with them, only for the law of the typical worker. Where it is open how long some
/// machines stay, schedules are built for both cases, and `assured` counts in place of expected work. Throws InputError
/// for a question outside its domain, or a strategy whose orders are drawn anew each time.
PlanAnswer answer(const PlanQuestion& question);

/// The risk of being interrupted before a worker has processed t units of work, if background jobs slow it down, as
/// with planned_risk = "capacity" in a campaign. Without background jobs, `risk` itself. Holds for lists that take no
/// longer than 2 + 2 start-up costs, or than `longest`.
RiskPtr capacity_law(const RiskPtr& risk, const PlanQuestion& question, double longest = 0);

/// Identifies the random streams of everything that a plan simulates.
std::uint64_t plan_identity();

/// The problem that schedules are made for if machines stay as `lives` says.
heuristics::WorksharingProblem planned_problem(const PlanQuestion& question, const Lives& lives);

/// How the lists of plans for `problem` are placed in the zones: as is best there. Null where zones make no difference.
std::shared_ptr<const heuristics::ZonePlacement> placement_of(const PlanQuestion& question,
                                                              const heuristics::WorksharingProblem& problem);

/// Whether a worker of this risk is interrupted before it can do `load`, without start-up costs, with a probability of
/// at most lambda, up to rounding. [worksharing-2013, Section 5.1]
bool tolerates(const Risk& risk, double load, double lambda);

/// Whether this holds for every worker and all of its list. `risks`: one per worker, or one for all.
bool keeps_lambda(const Schedule& schedule, std::span<const RiskPtr> risks, double lambda);

/// How many workers run each piece: the least, the average over all of the work, and the most. Work that is in no piece
/// is run by none.
struct Copies {
  std::size_t least = 0;
  double mean = 0;
  std::size_t most = 0;
};
Copies copies_of(const Schedule& schedule);

}  // namespace coterie::sim
