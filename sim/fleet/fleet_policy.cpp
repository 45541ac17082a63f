#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/mixture_risk.hpp"
#include "core/table.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "sim/campaign/catalogue.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/fleet/fleet_lives.hpp"
#include "sim/fleet/fleet_run.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {
namespace {

using heuristics::Crew;
using heuristics::Granularity;
using heuristics::PlanCache;
using heuristics::WorksharingProblem;

/// The law of a machine about which only the shares of the groups are known.
RiskPtr drawn_law(const std::vector<RiskPtr>& laws) {
  std::vector<RiskPtr> distinct;
  std::vector<double> shares;
  bool all_steps = true;
  for (const RiskPtr& law : laws) {
    const auto at = std::find(distinct.begin(), distinct.end(), law);
    if (at == distinct.end()) {
      distinct.push_back(law);
      shares.push_back(0);
      all_steps = all_steps && law->steps() != nullptr;
    }
    shares[static_cast<std::size_t>(std::find(distinct.begin(), distinct.end(), law) - distinct.begin())] +=
        1 / static_cast<double>(laws.size());
  }
  if (distinct.size() == 1) return distinct.front();
  if (!all_steps) return std::make_shared<MixtureRisk>(distinct, shares, "the machines of all groups");
  std::vector<std::pair<double, double>> jumps;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const StepLaw law = distinct[i]->steps()->law();
    for (std::size_t j = 0; j < law.times.size(); ++j) jumps.emplace_back(law.times[j], shares[i] * law.weights[j]);
  }
  std::sort(jumps.begin(), jumps.end());
  StepLaw together;
  for (const auto& [time, weight] : jumps) together.add(time, weight);
  return std::make_shared<EmpiricalRisk>(std::move(together), "the machines of all groups");
}

/// What static schedules are made for: the first spells of the machines, in units of work that they could do. Where
/// speeds differ, a checkpoint costs as much work as it does on average.
WorksharingProblem problem_of_fleet(const Fleet& fleet, const Crew& crew) {
  WorksharingProblem problem;
  std::map<std::size_t, RiskPtr> by_group;
  double speeds = 0;
  for (std::size_t g = 0; g < crew.groups.size(); ++g) {
    const Crew::Group& group = crew.groups[g];
    const RiskPtr& law = crew.laws[group.first_law];
    by_group[g] = group.speed == 1 ? law : law->in_unit(1 / group.speed);
  }
  for (const std::uint32_t g : crew.group_of) {
    if (crew.groups[g].fallback) continue;
    problem.worker_risks.push_back(by_group[g]);
    speeds += crew.groups[g].speed;
  }
  problem.workers = problem.worker_risks.size();
  problem.work = fleet.work;
  problem.startup_cost = fleet.checkpoint * speeds / static_cast<double>(problem.workers);
  problem.risk = drawn_law(problem.worker_risks);
  if (problem.worker_risks == std::vector(problem.workers, problem.risk)) problem.worker_risks.clear();
  problem.validate();
  return problem;
}

/// Chunks that cost nothing are small.
Granularity granularity_for(const Fleet& fleet, const WorksharingProblem& problem, const Granularity& asked) {
  constexpr std::size_t kEach = 20, kMost = 10'000;
  if (fleet.checkpoint > 0 || asked.kind != Granularity::Kind::kAuto) return asked;
  return {Granularity::Kind::kPerUnit, std::max(problem.workers, std::min(kEach * problem.workers, kMost)),
          asked.memory};
}

/// By when policies are compared on runs of machines that are replaced.
double planning_end(const Fleet& fleet, const Crew& crew) {
  constexpr double kTimes = 8;
  double speed = 0;
  for (const std::uint32_t g : crew.group_of) speed += crew.groups[g].fallback ? 0 : crew.groups[g].speed;
  const bool replaced = std::any_of(fleet.groups.begin(), fleet.groups.end(), [](const auto& g) { return !!g.down; });
  return std::min(fleet.horizon, replaced ? kTimes * fleet.work / speed : kInfinity);
}

}  // namespace

FleetPolicy make_policy(const std::string& name, const Fleet& given, std::uint64_t seed,
                        const heuristics::Granularity& granularity) {
  given.validate();
  const auto fleet = std::make_shared<const Fleet>(given.in_unit(given.work));
  const std::shared_ptr<const Crew> crew = crew_of(*fleet);
  const WorksharingProblem problem = problem_of_fleet(*fleet, *crew);
  PlanCache plans(problem, granularity_for(*fleet, problem, granularity));
  const std::string inner = name.starts_with("skip(") && name.ends_with(")") ? name.substr(5, name.size() - 6) : name;
  FleetPolicy policy{name, inner != name, std::nullopt, nullptr, {}};
  const auto& listening = heuristics::listening_strategies();
  if (std::any_of(listening.begin(), listening.end(), [&](const auto& one) { return one.name == name; })) {
    if (name == "adaptive") throw InputError("adaptive chooses among policies by itself: name the ones to compare");
    policy.listens = true;
    const FleetLives lives(fleet, planning_end(*fleet, *crew));
    const heuristics::DispatchQuestion question{
        plans,
        {fleet->latency, fleet->notice, 1, true, fleet->horizon},
        StreamKey::derive(seed, identity_hash("fleet"), Use::kPlan),
        {},
        &lives,
        [](std::size_t count, const auto& task) { parallel_for(count, thread_count(0), task); },
        1,
        crew};
    policy.maker = find_row(listening, name, "policy").prepare(question);
    policy.parameters = policy.maker()->plan();
  } else {
    ScheduleLibrary schedules("");
    policy.plan = Catalogue::own().plan(inner, schedules, plans);
    policy.maker = heuristics::skipping(*policy.plan);
  }
  return policy;
}

}  // namespace coterie::sim
