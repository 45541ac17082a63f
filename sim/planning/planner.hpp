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
  Lives lives;
  /// For a trace that does not tell how long its longest spells would have lasted (`lives`: for ever): the lives if all
  /// of these end at the last time seen.
  std::optional<Lives> if_gone;
  Zones zones = {};                              ///< of the workers; not with a background
  std::shared_ptr<const Background> background;  ///< or null
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
};

struct PlanAnswer {
  PlanQuestion question;
  heuristics::WorksharingProblem problem;  ///< what the schedules were made for
  std::vector<PlanOption> options;         ///< one for each of considered_strategies()
  std::size_t chosen = 0;
  /// Expected work that no static schedule can exceed, if machines stay as `lives` says, and as `if_gone` says; nothing
  /// with background jobs and for very many unlike machines, where it is not known.
  std::optional<double> static_ceiling = {};
  std::optional<double> static_ceiling_if_gone = {};

  const PlanOption& choice() const { return options[chosen]; }
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

/// The static strategies that are compared, the plainest first. answer() takes a later one if it expects 0.1 % more
/// than the one taken so far.
const std::vector<std::string>& considered_strategies();

/// Builds the schedules, chooses one that no other exceeds in expected work by more than kNegligibleGain (see
/// considered_strategies()), and simulates all of them on the same instances. Without background jobs, schedules are
/// made for the risks of all workers; with them, only for the law of the typical worker. Where it is open how long some
/// machines stay, schedules are built for both cases, and `assured` counts in place of expected work. Throws InputError
/// for a question outside its domain.
PlanAnswer answer(const PlanQuestion& question);

/// The risk of being interrupted before a worker has processed t units of work, if background jobs slow it down, as
/// with planned_risk = "capacity" in a campaign. Without background jobs, `risk` itself. Holds for lists that take no
/// longer than 2 + 2 start-up costs, or than `longest`.
RiskPtr capacity_law(const RiskPtr& risk, const PlanQuestion& question, double longest = 0);

/// Identifies the random streams of everything that a plan simulates.
std::uint64_t plan_identity();

/// All of the work of a question, which is 1, up to rounding: the pieces of a schedule may end before it does.
inline constexpr double kAllWork = 1 - 1e-9;
/// Whether the lists of a schedule give all of the work to somebody.
bool gives_all(const Schedule& schedule);

/// How many workers run each piece: the least, the average over all of the work, and the most. Work that is in no piece
/// is run by none.
struct Copies {
  std::size_t least = 0;
  double mean = 0;
  std::size_t most = 0;
};
Copies copies_of(const Schedule& schedule);

}  // namespace coterie::sim
