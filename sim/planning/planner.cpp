#include "sim/planning/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "core/contract.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/worksharing/zone_placement.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/engine/rows.hpp"
#include "sim/models/worksharing_trial.hpp"
#include "sim/planning/static_runs.hpp"
#include "sim/sampling/capacity_risk.hpp"

namespace coterie::sim {
namespace {

std::vector<std::string> names_for(const std::string& strategy) {
  if (strategy.empty()) return considered_strategies();
  std::vector<std::string> names = {"no-replication", "brute"};
  if (std::find(names.begin(), names.end(), strategy) == names.end()) names.push_back(strategy);
  return names;
}

/// The outcomes of these plans with these lives, on the same instances for all.
std::vector<PlanOutcome> outcomes(const PlanQuestion& question, const Lives& lives,
                                  const std::vector<NamedPlan>& plans) {
  const std::uint64_t identity = plan_identity();
  heuristics::WorksharingProblem problem;
  problem.workers = question.workers;
  problem.work = 1;
  problem.startup_cost = question.startup_cost;
  ExactCapacities capacities;
  const auto trial = make_worksharing_trial(
      problem, plans,
      {SampledTimes(lives.risks, question.workers, question.startup_cost, question.seed, identity, question.zones),
       question.background,
       question.seed,
       identity,
       {}},
      capacities);
  std::vector<double> reference(question.instances);
  std::vector<double> done(plans.size() * question.instances);
  const std::size_t blocks = (question.instances + kBlockInstances - 1) / kBlockInstances;
  parallel_for(blocks, thread_count(0), [&](std::size_t block) {
    const std::uint64_t first = block * kBlockInstances;
    trial->run({first, std::min<std::size_t>(kBlockInstances, question.instances - first), reference.data() + first,
                done.data() + first, question.instances});
  });
  const std::vector<StrategyFacts> facts = trial->facts();
  std::vector<PlanOutcome> result(plans.size());
  for (std::size_t s = 0; s < plans.size(); ++s) {
    const std::span row(done.data() + s * question.instances, question.instances);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= reference[i];
    result[s].simulated = summarise(row);
    const auto all = std::count_if(row.begin(), row.end(), [](double work) { return work >= kAllWork; });
    if (gives_all(*plans[s].plan.schedule))
      result[s].completion = static_cast<double>(all) / static_cast<double>(question.instances);
    result[s].expected_work = std::isnan(facts[s].expected) ? result[s].simulated.mean : facts[s].expected;
  }
  return result;
}

void simulate(PlanAnswer& answer) {
  std::vector<NamedPlan> plans;
  for (const PlanOption& option : answer.options) plans.push_back({option.strategy, option.plan});
  const std::vector<PlanOutcome> thought = outcomes(answer.question, answer.question.lives, plans);
  for (std::size_t s = 0; s < plans.size(); ++s) static_cast<PlanOutcome&>(answer.options[s]) = thought[s];
  if (!answer.question.if_gone) return;
  const std::vector<PlanOutcome> gone = outcomes(answer.question, *answer.question.if_gone, plans);
  for (std::size_t s = 0; s < plans.size(); ++s) answer.options[s].if_gone = gone[s];
}

/// Fills in `assured` of each option.
void compare(std::vector<PlanOption>& options) {
  double most = 0;
  double most_if_gone = 0;
  for (const PlanOption& option : options) {
    most = std::max(most, option.expected_work);
    if (option.if_gone) most_if_gone = std::max(most_if_gone, option.if_gone->expected_work);
  }
  for (PlanOption& option : options) {
    option.assured = most > 0 ? option.expected_work / most : 1;
    if (option.if_gone && most_if_gone > 0)
      option.assured = std::min(option.assured, option.if_gone->expected_work / most_if_gone);
  }
}

/// Keeps, of the adjacent schedules of each strategy, the one with the greatest `assured`.
void keep_one_of_each(std::vector<PlanOption>& options) {
  compare(options);
  std::vector<PlanOption> kept;
  for (PlanOption& option : options) {
    if (kept.empty() || kept.back().strategy != option.strategy)
      kept.push_back(std::move(option));
    else if (option.assured > kept.back().assured)
      kept.back() = std::move(option);
  }
  options = std::move(kept);
  compare(options);
}

/// The laws of the work that each worker can do before it is interrupted; `problem`: planned for these lives.
std::vector<RiskPtr> laws_of_work(const PlanQuestion& question, const Lives& lives,
                                  const heuristics::WorksharingProblem& problem) {
  std::map<std::string, RiskPtr> known = {{lives.planned->text(), problem.risk}};
  std::vector<RiskPtr> laws;
  for (const RiskPtr& risk : lives.risks) {
    if (!question.background) {
      laws.push_back(risk);
      continue;
    }
    RiskPtr& law = known[risk->text()];
    if (!law) law = capacity_law(risk, question);
    laws.push_back(law);
  }
  return laws;
}

std::size_t best_option(const PlanAnswer& answer) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < answer.options.size(); ++s)
    if (answer.options[s].assured > answer.options[best].assured * (1 + kNegligibleGain)) best = s;
  return best;
}

}  // namespace

std::uint64_t plan_identity() { return identity_hash("coterie plan"); }

heuristics::WorksharingProblem planned_problem(const PlanQuestion& question, const Lives& lives) {
  heuristics::WorksharingProblem problem;
  problem.workers = question.workers;
  problem.work = 1;
  problem.startup_cost = question.startup_cost;
  problem.risk = capacity_law(lives.planned, question);
  problem.lambda = question.lambda;
  // For workers slowed down by jobs, only the law of the typical one is known.
  if (!question.background && lives.risks != std::vector{problem.risk}) problem.worker_risks = lives.risks;
  problem.validate();
  return problem;
}

std::shared_ptr<const heuristics::ZonePlacement> placement_of(const PlanQuestion& question,
                                                              const heuristics::WorksharingProblem& problem) {
  if (!question.zones.bind(problem.workers)) return nullptr;
  return std::make_shared<const heuristics::ZonePlacement>(
      problem, question.zones, heuristics::ZonePlacement::Rule::kKnown, StreamKey::derive(0, 0, Use::kDeal));
}

const PlanOption& PlanAnswer::option(const std::string& strategy) const {
  return *std::find_if(options.begin(), options.end(), [&](const auto& one) { return one.strategy == strategy; });
}

std::optional<OpenTail> open_tail(const PlanQuestion& question) {
  if (!question.if_gone) return std::nullopt;
  constexpr double kAfterAll = std::numeric_limits<double>::max();
  const RiskPtr& gone = question.if_gone->planned;
  return OpenTail{question.lives.planned->survival(kAfterAll) - gone->survival(kAfterAll), gone->quantile(1)};
}

const std::vector<std::string>& considered_strategies() {
  static const std::vector<std::string> names = {"no-replication", "brute",   "cyclic-replication",
                                                 "greedy",         "refined", "best"};
  return names;
}

RiskPtr capacity_law(const RiskPtr& risk, const PlanQuestion& question, double longest) {
  if (!question.background) return risk;
  // Start-up costs that outweigh the work are not worth planning for.
  return std::make_shared<CapacityRisk>(risk, *question.background, std::max(2 + 2 * question.startup_cost, longest));
}

namespace {

std::optional<double> ceiling_of(const PlanQuestion& question, const heuristics::WorksharingProblem& problem) {
  if (question.background) return std::nullopt;
  const double ceiling = heuristics::static_ceiling(problem, question.memory.get());
  return std::isnan(ceiling) ? std::nullopt : std::optional(ceiling);
}

}  // namespace

PlanCaches plan_caches(const PlanQuestion& question) {
  PlanCaches plans;
  heuristics::Granularity granularity = question.granularity;
  granularity.memory = question.memory.get();
  const auto add = [&](const Lives& lives) {
    const heuristics::WorksharingProblem problem = planned_problem(question, lives);
    plans.push_back(
        std::make_shared<heuristics::PlanCache>(problem, granularity, nullptr, placement_of(question, problem)));
  };
  add(question.lives);
  if (question.if_gone) add(*question.if_gone);
  return plans;
}

std::vector<PlanOption> planned_options(const PlanQuestion& question, const PlanCaches& plans) {
  const std::vector<std::string> names = names_for(question.strategy);
  std::vector<PlanOption> options(names.size() * plans.size());
  parallel_for(plans.size(), thread_count(0), [&](std::size_t p) {
    for (std::size_t n = 0; n < names.size(); ++n) {
      PlanOption& option = options[n * plans.size() + p];
      option.strategy = names[n];
      option.plan = question.catalogue->plan(names[n], *question.schedules, *plans[p]);
      if (!option.plan.schedule)
        throw InputError(
            fmt::format("--strategy {}: its orders are drawn anew for each run, so it makes no fixed plan", names[n]));
    }
  });
  if (question.lambda < 1) {
    const Lives& shortest = question.if_gone ? *question.if_gone : question.lives;
    const std::vector<RiskPtr> laws = laws_of_work(question, shortest, plans.back()->problem());
    for (PlanOption& option : options) option.keeps_lambda = keeps_lambda(*option.plan.schedule, laws, question.lambda);
  }
  return options;
}

std::vector<PlanOption> options_if_asked_for(const PlanQuestion& question, const PlanCaches& plans) {
  COTERIE_REQUIRE(!question.background);  // only simulation knows some expectations beside jobs
  std::vector<PlanOption> options = planned_options(question, plans);
  if (!question.if_gone) return options;
  parallel_for(options.size(), thread_count(0), [&](std::size_t s) {
    PlanOption& option = options[s];
    const Schedule& schedule = *option.plan.schedule;
    option.expected_work = expected_work(schedule, question.lives.risks, question.zones);
    option.if_gone.emplace().expected_work = expected_work(schedule, question.if_gone->risks, question.zones);
  });
  std::vector<PlanOption> kept;
  for (const std::string& strategy : names_for(question.strategy)) {
    const std::vector<std::string> names = names_for(strategy);
    std::vector<PlanOption> compared;
    std::copy_if(options.begin(), options.end(), std::back_inserter(compared), [&](const PlanOption& option) {
      return std::find(names.begin(), names.end(), option.strategy) != names.end();
    });
    keep_one_of_each(compared);
    kept.push_back(*std::find_if(compared.begin(), compared.end(),
                                 [&](const PlanOption& option) { return option.strategy == strategy; }));
  }
  return kept;
}

PlanAnswer answer(const PlanQuestion& question) {
  PlanAnswer result;
  result.question = question;
  result.problem = planned_problem(question, question.lives);
  result.plans = plan_caches(question);
  result.options = planned_options(question, result.plans);
  simulate(result);
  keep_one_of_each(result.options);
  result.chosen = best_option(result);
  result.static_ceiling = ceiling_of(question, result.problem);
  if (question.if_gone)
    result.static_ceiling_if_gone = ceiling_of(question, planned_problem(question, *question.if_gone));
  if (!question.strategy.empty())
    for (std::size_t s = 0; s < result.options.size(); ++s)
      if (result.options[s].strategy == question.strategy) result.chosen = s;
  return result;
}

bool tolerates(const Risk& risk, double load, double lambda) {
  constexpr double kSums = 1e-9;  // of sums
  return risk.probability(load * (1 - kSums)) <= lambda * (1 + kSums);
}

bool keeps_lambda(const Schedule& schedule, std::span<const RiskPtr> risks, double lambda) {
  if (lambda >= 1) return true;
  std::vector<double> loads(schedule.lists().size(), 0);
  for (std::size_t list = 0; list < loads.size(); ++list)
    for (const Task& task : schedule.lists()[list].tasks)
      loads[list] +=
          schedule.boundaries()[task.first_piece + std::size_t{task.pieces}] - schedule.boundaries()[task.first_piece];
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    if (!tolerates(*risks[risks.size() == 1 ? 0 : w], loads[schedule.list_of(w)], lambda)) return false;
  return true;
}

Copies copies_of(const Schedule& schedule) {
  std::vector<std::size_t> copies(schedule.pieces(), 0);
  std::vector<std::size_t> last(schedule.pieces(), schedule.workers());  // who was counted last: a list may repeat
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (const Task& task : schedule.tasks(w).tasks)
      for (std::size_t i = task.first_piece; i < task.first_piece + std::size_t{task.pieces}; ++i)
        if (std::exchange(last[i], w) != w) ++copies[i];
  if (copies.empty()) return {};
  const auto [least, most] = std::minmax_element(copies.begin(), copies.end());
  Copies result{schedule.boundaries().back() < kAllWork ? 0 : *least, 0, *most};
  for (std::size_t i = 0; i < copies.size(); ++i)
    result.mean += static_cast<double>(copies[i]) * schedule.piece_sizes()[i];
  return result;
}

}  // namespace coterie::sim
