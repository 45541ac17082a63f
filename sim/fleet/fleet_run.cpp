#include "sim/fleet/fleet_run.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/fleet/fleet_lives.hpp"

namespace coterie::sim {
namespace {

using heuristics::Crew;
using heuristics::DispatchRun;
using heuristics::Listening;

/// Runs one after another, for one thread.
class FleetRunner {
 public:
  /// `fleet`: with work of size 1, which is `unit` in that of the outcomes.
  FleetRunner(std::shared_ptr<const Fleet> fleet, std::shared_ptr<const Crew> crew, const FleetPolicy& policy,
              std::uint64_t seed, double unit)
      : fleet_(std::move(fleet)),
        crew_(std::move(crew)),
        unit_(unit),
        lives_(fleet_),
        key_(StreamKey::derive(seed, identity_hash("fleet"), Use::kInterruption)),
        policy_(policy.maker()),
        run_(policy.name, crew_, fleet_->work,
             policy.listens ? Listening{fleet_->latency, fleet_->notice, 1, true, fleet_->end()}
                            : Listening{kInfinity, kInfinity, 1, false, fleet_->end()}),
        until_(fleet_->end()) {
    run_.count_until(just_after(fleet_->deadline));
    constexpr double kTimes = 4;
    double speed = 0;
    for (const FleetGroup& group : fleet_->groups) speed += group.speed * static_cast<double>(group.count);
    if (fleet_->is_endless()) until_ = kTimes * fleet_->work / speed;
  }

  FleetOutcome operator()(std::uint64_t instance) {
    heuristics::DispatchOutcome outcome;
    for (double until = until_;; until *= 2) {
      cancellation_point();
      lives_.draw_until(until, key_, instance, spells_);
      spells_.forgive_ties(true);
      outcome = run_(*policy_, spells_);
      if (!fleet_->is_endless() || !goes_on()) break;
      until_ = 2 * until;
    }
    return told(outcome);
  }

 private:
  /// Whether anything would happen after the last spells.
  bool goes_on() const {
    for (std::size_t w = 0; w < crew_->group_of.size(); ++w)
      if (fleet_->groups[crew_->group_of[w]].down && run_.may_go_on(w)) return true;
    return false;
  }

  FleetOutcome told(const heuristics::DispatchOutcome& outcome) const {
    const std::size_t groups = fleet_->groups.size();
    FleetOutcome told{.finish = unit_ * outcome.makespan,
                      .work_done = unit_ * outcome.completed_in_time,
                      .failed_tasks = outcome.failed,
                      .interruptions = outcome.interruptions,
                      .wasted = unit_ * outcome.wasted,
                      .machine_time = std::vector<double>(groups),
                      .rented_time = std::vector<double>(groups),
                      .cost = std::vector<double>(groups)};
    for (std::size_t w = 0; w < crew_->group_of.size(); ++w) {
      const std::uint32_t group = crew_->group_of[w];
      told.machine_time[group] += unit_ * run_.machine_times()[w];
      told.rented_time[group] += unit_ * run_.rented_times()[w];
      told.cost[group] += fleet_->groups[group].price * run_.billed_times()[w];
    }
    return told;
  }

  std::shared_ptr<const Fleet> fleet_;
  std::shared_ptr<const Crew> crew_;
  double unit_;
  FleetLives lives_;
  StreamKey key_;
  std::unique_ptr<heuristics::ListeningPolicy> policy_;
  DispatchRun run_;
  double until_;  // enough for most runs
  heuristics::Spells spells_;
};

}  // namespace

std::vector<FleetOutcome> run_fleet(const Fleet& given, const FleetPolicy& policy, std::uint64_t seed,
                                    std::uint64_t first, std::uint64_t runs) {
  given.validate();
  const auto fleet = std::make_shared<const Fleet>(given.in_unit(given.work));
  const std::shared_ptr<const Crew> crew = crew_of(*fleet);
  std::vector<FleetOutcome> outcomes(runs);
  constexpr std::size_t kAtATime = 32;
  parallel_for((runs + kAtATime - 1) / kAtATime, thread_count(0), [&](std::size_t block) {
    FleetRunner run(fleet, crew, policy, seed, given.work);
    for (std::size_t i = block * kAtATime; i < std::min<std::size_t>(runs, (block + 1) * kAtATime); ++i)
      outcomes[i] = run(first + i);
  });
  return outcomes;
}

}  // namespace coterie::sim
