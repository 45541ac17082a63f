#include "heuristics/dispatch/policies.hpp"

#include "heuristics/chunks/granularity.hpp"
#include "heuristics/dispatch/central.hpp"
#include "heuristics/dispatch/help.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "heuristics/dispatch/planned_then_central.hpp"
#include "heuristics/worksharing/best_plan.hpp"
#include "heuristics/worksharing/no_replication.hpp"
#include "heuristics/worksharing/whole_tasks.hpp"

namespace coterie::heuristics {
namespace {

double startup_of(const DispatchQuestion& question) {
  return question.crew ? question.crew->startup_cost : question.plans.problem().startup_cost;
}

bool has_tasks(const DispatchQuestion& question) { return question.crew && question.crew->task > 0; }

PolicyMaker help(const DispatchQuestion& question) {
  Schedule shares = *question.plans.placed(alone<no_replication_plan>).schedule;
  if (has_tasks(question))
    shares = in_whole_tasks(shares, question.plans.problem().work, question.crew->task, startup_of(question));
  return [shares] { return std::make_unique<Help>(shares); };
}

/// The unit of the least chunk: the cost of a chunk.
double least_unit(const DispatchQuestion& question) {
  const WorksharingProblem& problem = question.plans.problem();
  const double cost = startup_of(question) + question.listening.wait();
  return cost > 0 ? cost : 1e-3 * problem.work / static_cast<double>(problem.workers);
}

/// Whether central is the best list of a single worker.
bool is_list_of_one(const DispatchQuestion& question) {
  const WorksharingProblem problem = question.plans.problem().for_any_lambda();
  return problem.workers == 1 && question.availability == nullptr && !question.crew &&
         counts_can_be_searched(problem.local_load(), problem.startup_cost);
}

std::span<const RiskPtr> laws_of(const DispatchQuestion& question) {
  return question.crew ? std::span(question.crew->laws) : question.plans.problem().risks();
}

PlanningRuns planning_runs(const DispatchQuestion& question) {
  return {question.plans.problem(), question.listening, question.planning, question.zones,
          question.availability,    question.crew,      question.for_each};
}

/// For each kind of chunk sizes, the values that did best in planning runs.
template <class Make>
PolicyMaker best_central(const DispatchQuestion& question, const Make& make) {
  const auto chunks =
      std::make_shared<const ChunksByAge>(laws_of(question), startup_of(question), question.listening.wait());
  const PlanningRuns runs = planning_runs(question);
  const double unit = least_unit(question);
  constexpr double kInstances = 512;
  constexpr std::size_t kLeastInstances = 4;
  const auto most = static_cast<std::size_t>(question.effort * kInstances);
  const auto best_of = [&](const std::vector<CentralParameters>& tried) {
    std::vector<PolicyMaker> makers;
    for (const CentralParameters& one : tried) makers.push_back(make(Central(chunks, one)));
    return tried[runs.best(makers, runs.affordable(most, kLeastInstances), kLeastInstances)];
  };
  std::vector<CentralParameters> tried;
  for (const double shares : {1.0, 1.5, 2.0, 3.0})
    for (const double least : {1.0, 2.0, 3.0, 5.0, 10.0, 20.0}) tried.push_back({shares, least * unit});
  const CentralParameters best = best_of(tried);
  tried.clear();
  for (const double first : {1.0, 0.92, 0.85, 0.75, 0.65}) tried.push_back({best.shares, best.least, first});
  return make(Central(chunks, best_of(tried)));
}

PolicyMaker called(const std::string& name, const PolicyMaker& maker, const std::string& strategy = "") {
  return [name, maker, strategy] {
    auto policy = maker();
    policy->set_chosen_as(name, strategy);
    return policy;
  };
}

/// A single worker has no others to hear about: its best list, with the best number of chunks and for any lambda. A
/// list needs a start-up cost that bounds the number of its chunks.
PolicyMaker central_of_one(const DispatchQuestion& question) {
  PlanCache plans(question.plans.problem().for_any_lambda(),
                  {Granularity::Kind::kAuto, 0, question.plans.granularity().memory});
  return called("the best list of one worker", skipping(plans.get(best_plan)));
}

/// Whole tasks leave it nothing to choose.
PolicyMaker central_of_tasks() {
  const Central central(std::make_shared<const ChunksByAge>(std::span<const RiskPtr>(), 0), {});
  return [central] { return std::make_unique<Central>(central); };
}

/// Built once per question: adaptive compares it with others.
PolicyMaker central(const DispatchQuestion& question) {
  PolicyMaker& made = (*question.made)["central"];
  if (made) return made;
  if (has_tasks(question)) return made = central_of_tasks();
  if (is_list_of_one(question)) return made = central_of_one(question);
  return made = best_central(question, [](const Central& central) -> PolicyMaker {
           return [central] { return std::make_unique<Central>(central); };
         });
}

PolicyMaker planned_then_central(const DispatchQuestion& question) {
  const Plan plan = question.plans.placed(best_plan);
  return best_central(question, [&](const Central& central) -> PolicyMaker {
    return [schedule = *plan.schedule, central] { return std::make_unique<PlannedThenCentral>(schedule, central); };
  });
}

PolicyMaker adaptive(const DispatchQuestion& question) {
  std::vector<PolicyMaker> makers;
  const auto add_strategy = [&](const std::string& name, const PolicyMaker& maker) {
    makers.push_back(called(name, maker, name));
  };
  add_strategy("skip(best)", skipping(question.plans.placed(best_plan)));
  add_strategy("help", help(question));
  add_strategy("central", central(question));
  if (question.plans.get(best_plan).schedule)
    makers.push_back(called("best until a worker is lost, then central", planned_then_central(question)));
  const PlanningRuns runs = planning_runs(question);
  constexpr double kInstances = 4096;
  constexpr std::size_t kLeastInstances = 16;
  const auto most = static_cast<std::size_t>(question.effort * kInstances);
  // Two large chunks or one may differ by rare instances that are worth all of the work.
  return makers[runs.best(makers, runs.affordable(most, kLeastInstances), kLeastInstances, PlanningRuns::kMostEvents,
                          question.plans.problem().work)];
}

}  // namespace

PolicyMaker skipping(const Plan& plan) {
  if (!plan.schedule)
    throw InputError("its orders are drawn anew for each instance: there is no fixed list in which to skip chunks");
  return [schedule = *plan.schedule] { return std::make_unique<PlannedLists>(schedule); };
}

const std::vector<ListeningStrategy>& listening_strategies() {
  static const std::vector<ListeningStrategy> table = {
      {"help", "the shares of no-replication, then others' pieces that are not known to be complete",
       "not in the papers", help},
      {"central", "a queue: chunks that shrink as work runs out, then copies of those most at risk",
       "not in the papers", central},
      {"adaptive", "whichever does best in planning runs: skip(best), help, central, best until a worker is lost",
       "not in the papers", adaptive},
  };
  return table;
}

}  // namespace coterie::heuristics
