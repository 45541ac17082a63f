#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/dispatch/listening_strategy.hpp"
#include "heuristics/dispatch/policy_plan.hpp"
#include "sim/fleet/fleet.hpp"

namespace coterie::sim {

/// The outcome of one run, in the units of the fleet.
struct FleetOutcome {
  double finish = kInfinity;  ///< of all work; infinite: not by the horizon, or some tasks have failed
  double work_done = 0;       ///< by the deadline; without one, by the horizon
  std::size_t failed_tasks = 0;
  std::size_t interruptions = 0;     ///< of machines that had something to do
  double wasted = 0;                 ///< machine time that was lost, dropped, or spent on what was complete
  std::vector<double> machine_time;  ///< by group: that machines restarted or computed, checkpoints included
  std::vector<double> rented_time;   ///< by group: from up until interrupted, or until nothing is left for it
  std::vector<double> cost;          ///< by group: price of the rented time as it is billed
};

/// A way to hand out the work.
struct FleetPolicy {
  std::string name;
  bool listens = false;
  std::optional<heuristics::Plan> plan;  ///< of a static strategy, or of one in skip(...)
  heuristics::PolicyMaker maker;
  heuristics::PolicyPlan parameters;  ///< chosen in planning runs; in units of the fleet's work
};

/// "central", "help", a static strategy S or skip(S), planned once for the fleet. Throws InputError for an unknown
/// name, or one without meaning for the fleet. `granularity`: of static schedules, with work of size 1; chunks without
/// a checkpoint are a twentieth of a machine's share if it is open.
FleetPolicy make_policy(const std::string& name, const Fleet& fleet, std::uint64_t seed,
                        const heuristics::Granularity& granularity = {});

/// Runs first, ..., first + runs - 1: on the same random numbers for every policy and any number of machines in the
/// other groups, and the same for any number of threads. Throws InputError if machines are replaced without a horizon
/// and a run does not end.
std::vector<FleetOutcome> run_fleet(const Fleet& fleet, const FleetPolicy& policy, std::uint64_t seed,
                                    std::uint64_t first, std::uint64_t runs);

}  // namespace coterie::sim
