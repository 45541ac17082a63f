#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/mixture_risk.hpp"
#include "core/table.hpp"
#include "heuristics/worksharing/whole_tasks.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/fleet/fleet_run.hpp"

namespace coterie::sim {
namespace {

using heuristics::Crew;
using heuristics::Granularity;
using heuristics::WorksharingProblem;

/// The law of a machine about which only the shares of these laws are known.
RiskPtr drawn_law(const std::vector<RiskPtr>& laws, const std::vector<double>& shares) {
  if (laws.size() == 1) return laws.front();
  const std::string text = "one of several laws";
  if (std::any_of(laws.begin(), laws.end(), [](const RiskPtr& law) { return law->steps() == nullptr; }))
    return std::make_shared<MixtureRisk>(laws, shares, text);
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::pair<double, double>> jumps;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const StepLaw law = laws[i]->steps()->law();
    for (std::size_t j = 0; j < law.times.size(); ++j)
      jumps.emplace_back(law.times[j], shares[i] / all * law.weights[j]);
  }
  std::sort(jumps.begin(), jumps.end());
  StepLaw together;
  for (const auto& [time, weight] : jumps) together.add(time, weight);
  return std::make_shared<EmpiricalRisk>(std::move(together), text);
}

/// The law for planning lists of a machine that goes on in its list after it is replaced: that of its first spell, but
/// none is longer than a list may be, so that all of the work is handed out.
RiskPtr law_for_lists(const RiskPtr& first) {
  constexpr double kBeyond = 1e-9;
  return drawn_law({first, never_interrupted()}, {1 - kBeyond, kBeyond});
}

/// What static schedules are made for: the first spells of the machines, in units of work that they could do. Where
/// speeds differ, a checkpoint costs as much work as it does on average.
WorksharingProblem problem_of_fleet(const Fleet& fleet, const Crew& crew) {
  WorksharingProblem problem;
  std::vector<RiskPtr> laws;
  std::vector<double> counts;
  double speeds = 0;
  for (std::size_t g = 0; g < crew.groups.size(); ++g) {
    const FleetGroup& group = fleet.groups[g];
    if (group.fallback || group.count == 0) continue;
    RiskPtr law = crew.laws[crew.groups[g].first_law];
    if (group.speed != 1) law = law->in_unit(1 / group.speed);
    if (group.down) law = law_for_lists(law);
    problem.worker_risks.insert(problem.worker_risks.end(), group.count, law);
    laws.push_back(law);
    counts.push_back(static_cast<double>(group.count));
    speeds += counts.back() * group.speed;
  }
  problem.workers = problem.worker_risks.size();
  problem.work = fleet.work;
  problem.startup_cost = fleet.checkpoint * speeds / static_cast<double>(problem.workers);
  problem.risk = drawn_law(laws, counts);
  if (laws.size() == 1) problem.worker_risks.clear();
  problem.validate();
  return problem;
}

/// Chunks that cost nothing are small.
Granularity granularity_for(const Fleet& fleet, const Granularity& asked, heuristics::SliceCache* memory) {
  constexpr std::size_t kEach = 20, kMost = 10'000;
  Granularity granularity = asked;
  if (granularity.memory == nullptr) granularity.memory = memory;
  if (asked.kind != Granularity::Kind::kAuto || (fleet.checkpoint > 0 && fleet.task == 0)) return granularity;
  granularity.kind = Granularity::Kind::kPerUnit;
  granularity.count = fleet.task > 0 ? heuristics::count_of_tasks(fleet.work, fleet.task)
                                     : std::max(fleet.machines(), std::min(kEach * fleet.machines(), kMost));
  return granularity;
}

/// By when policies are compared on runs of machines that are replaced.
double planning_end(const Fleet& fleet) {
  constexpr double kTimes = 8;
  double speed = 0;
  for (const FleetGroup& group : fleet.groups)
    speed += group.fallback ? 0 : group.speed * static_cast<double>(group.count);
  return fleet.is_endless() ? kTimes * fleet.work / speed : fleet.end();
}

/// Lists are placed in the zones of the only group.
std::shared_ptr<const heuristics::ZonePlacement> placement_of(const Fleet& fleet, const WorksharingProblem& problem) {
  const Zones& zones = fleet.groups.front().zones;
  if (fleet.groups.size() > 1 || fleet.replay || !zones.bind(problem.workers)) return nullptr;
  return std::make_shared<const heuristics::ZonePlacement>(problem, zones, heuristics::ZonePlacement::Rule::kKnown,
                                                           StreamKey::derive(0, 0, Use::kDeal));
}

std::shared_ptr<const Fleet> checked(const Fleet& fleet) {
  fleet.validate();
  return std::make_shared<const Fleet>(fleet.in_unit(fleet.work));
}

/// The name of S in skip(S), or nothing.
std::string skipped(const std::string& name) {
  return name.starts_with("skip(") && name.ends_with(")") ? name.substr(5, name.size() - 6) : "";
}

}  // namespace

FleetPolicies::FleetPolicies(const Fleet& fleet, std::uint64_t seed, const Catalogue& catalogue, double effort,
                             std::shared_ptr<ScheduleLibrary> schedules, const Granularity& granularity)
    : fleet_(checked(fleet)),
      crew_(crew_of(*fleet_)),
      catalogue_(catalogue),
      schedules_(schedules ? std::move(schedules) : std::make_shared<ScheduleLibrary>("", fleet.work)),
      plans_(problem_of_fleet(*fleet_, *crew_), granularity_for(*fleet_, granularity, &memory_), nullptr,
             placement_of(*fleet_, problem_of_fleet(*fleet_, *crew_))),
      lives_(fleet_, planning_end(*fleet_)),
      question_{plans_,
                {fleet_->latency, fleet_->notice, 1, true, fleet_->end()},
                StreamKey::derive(seed, identity_hash("fleet"), Use::kPlan),
                {},
                &lives_,
                [](std::size_t count, const auto& task) { parallel_for(count, thread_count(0), task); },
                effort,
                crew_} {}

heuristics::Plan FleetPolicies::lists_of(const std::string& strategy) {
  heuristics::Plan plan = catalogue_.plan(strategy, *schedules_, plans_);
  if (fleet_->task == 0 || !plan.schedule) return plan;
  return heuristics::in_whole_tasks(std::move(plan), fleet_->work, fleet_->task, fleet_->checkpoint);
}

FleetPolicy FleetPolicies::make(const std::string& name) {
  const std::string inner = skipped(name);
  FleetPolicy policy{name, !inner.empty(), std::nullopt, nullptr, {}, std::nullopt};
  const auto& listening = heuristics::listening_strategies();
  if (std::any_of(listening.begin(), listening.end(), [&](const auto& one) { return one.name == name; })) {
    if (name == "adaptive")
      throw InputError("adaptive compares other policies by itself; name those that are to be compared");
    policy.listens = true;
    policy.maker = find_row(listening, name, "policy").prepare(question_);
    policy.parameters = policy.maker()->plan();
    if (name == "help") policy.shares = lists_of("no-replication");
    return policy;
  }
  policy.plan = lists_of(policy.listens ? inner : name);
  policy.maker = heuristics::skipping(*policy.plan);
  return policy;
}

}  // namespace coterie::sim
