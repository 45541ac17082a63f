#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/infinity.hpp"
#include "sim/fleet/fleet_run.hpp"
#include "sim/planning/share_estimate.hpp"

namespace coterie::sim {

/// What came of one way to do the work: shares of the runs, times by which shares of them are done, means of the rest.
/// In units of the work.
struct Outcomes {
  std::uint64_t runs = 0;
  ShareEstimate in_time;  ///< all done by the deadline
  double all_done = 0;    ///< by the horizon
  double q50 = kInfinity, q90 = kInfinity, q95 = kInfinity;
  double confident = kInfinity;  ///< the time for the share that is asked for
  double work_done = 0;
  double machine_time = 0;
  double rented_time = 0;
  double cost = 0;
  double wasted = 0;
  double failed_tasks = 0;
  double interruptions = 0;
};

/// `runs`: not empty. `confidence`: the share that is asked for.
Outcomes outcomes_of(std::span<const FleetOutcome> runs, double deadline, double confidence);

/// The least time by which `share` of the finishing times have come; infinite if fewer ever come. `finishes`: sorted,
/// not empty.
double time_for_share(std::span<const double> finishes, double share);

/// Which rule decided. [the order in which sim/PLAN.md gives them]
enum class ChoiceRule {
  kDeadline,  ///< of those that meet it, the cheapest
  kNearest,   ///< nothing meets it: the most likely to
  kFinish,    ///< no deadline: done first
  kWork       ///< no deadline, and hardly ever all done: the most work
};

/// What the choice is made by.
struct ChoiceQuestion {
  bool has_deadline = false;
  double confidence = 0.95;
  bool has_prices = false;

  /// The part of a plan that counts as its cost.
  double cost(const Outcomes& outcomes) const { return has_prices ? outcomes.cost : outcomes.machine_time; }
  /// Whether as many of these runs as asked are in time, and prove it: the 95 % interval of the share is no more than a
  /// percentage point below what is asked.
  bool meets(const Outcomes& outcomes) const {
    return outcomes.in_time.share >= confidence && outcomes.in_time.low >= confidence - kMargin;
  }
  /// Whether more runs might prove it.
  bool may_meet(const Outcomes& outcomes) const { return outcomes.in_time.high >= confidence; }
  static constexpr double kMargin = 0.01;
};

struct Choice {
  ChoiceRule rule = ChoiceRule::kFinish;
  std::vector<std::size_t> order;  ///< of the options, the best first
};

/// Puts options in the order of the choice. `options`: the plainest first, not empty.
Choice choose(std::span<const Outcomes> options, const ChoiceQuestion& question);

}  // namespace coterie::sim
