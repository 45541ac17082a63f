#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "heuristics/worksharing/plan_cache.hpp"
#include "sim/campaign/catalogue.hpp"
#include "sim/fleet/fleet_lives.hpp"
#include "sim/model_interface/schedule_library.hpp"

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
  heuristics::PolicyPlan parameters;         ///< chosen in planning runs; in units of the fleet's work
  std::optional<heuristics::Plan> shares{};  ///< of help: the lists with which machines begin
};

/// Makes policies for one fleet, with what they have in common.
class FleetPolicies {
 public:
  /// `effort`: of planning runs, as a multiple of the usual one. `schedules`: reads those of files. `granularity`: of
  /// static schedules, with work of size 1; if it is open and chunks cost nothing, a machine's share is 20 of them.
  FleetPolicies(const Fleet& fleet, std::uint64_t seed, const Catalogue& catalogue = Catalogue::own(),
                double effort = 1, std::shared_ptr<ScheduleLibrary> schedules = nullptr,
                const heuristics::Granularity& granularity = {});
  FleetPolicies(const FleetPolicies&) = delete;

  /// "central", "help", a static strategy S or skip(S). Throws InputError for an unknown name, or one without meaning
  /// for the fleet.
  FleetPolicy make(const std::string& name);

 private:
  heuristics::Plan lists_of(const std::string& strategy);

  std::shared_ptr<const Fleet> fleet_;  // with work of size 1
  std::shared_ptr<const heuristics::Crew> crew_;
  const Catalogue& catalogue_;
  std::shared_ptr<ScheduleLibrary> schedules_;
  heuristics::SliceCache memory_;
  heuristics::PlanCache plans_;
  FleetLives lives_;  // in planning runs
  heuristics::DispatchQuestion question_;
};

/// Runs first, ..., first + runs - 1: on the same random numbers for every policy and any number of machines in the
/// other groups, and the same for any number of threads. Throws InputError if machines are replaced without a horizon
/// and a run does not end.
std::vector<FleetOutcome> run_fleet(const Fleet& fleet, const FleetPolicy& policy, std::uint64_t seed,
                                    std::uint64_t first, std::uint64_t runs);

}  // namespace coterie::sim
