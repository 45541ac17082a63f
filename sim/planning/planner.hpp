#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "sim/campaign/catalogue.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/sampling/background.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// How long machines stay.
struct Lives {
  RiskPtr planned;             ///< of a worker of whom no more is known
  std::vector<RiskPtr> risks;  ///< of the workers: one for all, or one each
};

/// A workload and the machines that are there for it. The whole workload is the unit of work, and the time that one
/// machine needs for it the unit of time: strategies search their chunks best at that scale.
struct PlanQuestion {
  const Catalogue* catalogue = &Catalogue::own();  ///< that the strategies are of
  std::size_t workers = 1;
  double startup_cost = 0;  ///< of a chunk
  double lambda = 1;        ///< greatest tolerated probability of interruption of a worker's load
  Lives lives;
  /// Where a trace leaves open how long those stay whom it saw no end of (`lives`: for ever): all of them are gone at
  /// the last time seen.
  std::optional<Lives> if_gone;
  Zones zones = {};                              ///< of the workers, not beside a background
  std::shared_ptr<const Background> background;  ///< or null
  std::string strategy;                          ///< "": the best of considered_strategies()
  std::shared_ptr<ScheduleLibrary> schedules = std::make_shared<ScheduleLibrary>("");  ///< of files, if it is one
  heuristics::Granularity granularity;
  std::uint64_t seed = 1;
  std::uint64_t instances = 10000;  ///< simulated
};

/// What comes of a plan.
struct PlanOutcome {
  double expected_work = 0;  ///< exact where it is known, else the mean of the simulation
  Summary simulated;         ///< of the work that gets done
  double completion = 0;     ///< share of the simulated instances in which all work gets done
};

/// One way to do it, and what will come of it: where machines stay as `lives` of the question says.
struct PlanOption : PlanOutcome {
  std::string strategy;
  heuristics::Plan plan;
  std::optional<PlanOutcome> if_gone;  ///< where the question has that
  /// The least, over what is left open, of its expected work beside the best option's.
  double assured = 1;
};

struct PlanAnswer {
  PlanQuestion question;
  heuristics::WorksharingProblem problem;  ///< what the schedules were made for
  std::vector<PlanOption> options;         ///< always no-replication and brute among them
  std::size_t chosen = 0;
  /// What no static schedule can exceed in expected work, if machines stay as `lives` says and where they are gone;
  /// nothing beside background jobs and for very many unlike machines, for which it is not known.
  std::optional<double> static_ceiling = {};
  std::optional<double> static_ceiling_if_gone = {};

  const PlanOption& choice() const { return options[chosen]; }
  const PlanOption& option(const std::string& strategy) const;
};

/// What a trace leaves open.
struct OpenTail {
  double share = 0;      ///< of the machines, whose end is open
  double last_seen = 0;  ///< how long the longest spell was watched; infinite where other machines have no last time
};
/// Nothing where the question leaves nothing open.
std::optional<OpenTail> open_tail(const PlanQuestion& question);

/// Expected work that differs by less, relative to the plainer strategy's, counts as the same.
inline constexpr double kNegligibleGain = 1e-3;

/// The strategies that a plan is chosen from, the plainest first: a later one must expect 0.1 % more than those before.
const std::vector<std::string>& considered_strategies();

/// The schedules of all strategies that a question considers, not simulated yet: one each, or one for each answer to
/// what is open, side by side. Throws InputError as answer() does.
std::vector<PlanOption> planned_options(const PlanQuestion& question);

/// Builds the schedules, takes the one that is expected to get most done (the plainest where others are hardly better),
/// and simulates all of them on the same instances. Without background jobs the risks of the workers are known to those
/// who plan; with them only the law of the typical worker is. Where it is open how long some machines stay, schedules
/// are built for both answers, and the one is taken whose share of what the best of them would get is greatest in the
/// worse case. Throws InputError for a question outside its domain, or a strategy whose orders are drawn anew each
/// time.
PlanAnswer answer(const PlanQuestion& question);

/// The risk of being interrupted before a worker has processed t units of work, where background jobs slow it down:
/// that of a campaign's planned_risk = "capacity". `risk` itself without background jobs.
RiskPtr capacity_law(const RiskPtr& risk, const PlanQuestion& question);

/// Of the streams of all that a plan simulates.
std::uint64_t plan_identity();

/// What schedules are made for where machines stay as `lives` says.
heuristics::WorksharingProblem planned_problem(const PlanQuestion& question, const Lives& lives);

/// Where the lists of plans for `problem` are put in the zones: as is best there. Null where these bind nobody.
std::shared_ptr<const heuristics::ZonePlacement> placement_of(const PlanQuestion& question,
                                                              const heuristics::WorksharingProblem& problem);

/// Whether no worker is given more work than it does, without start-up costs, before it is interrupted with probability
/// lambda. [worksharing-2013, Section 5.1]
bool keeps_lambda(const Schedule& schedule, const heuristics::WorksharingProblem& problem);

/// How many workers run each piece: the least, the average (over the work) and the most.
struct Copies {
  std::size_t least = 0;
  double mean = 0;
  std::size_t most = 0;
};
Copies copies_of(const Schedule& schedule);

}  // namespace coterie::sim
