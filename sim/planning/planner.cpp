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
#include "sim/model_interface/schedule_library.hpp"
#include "sim/models/worksharing_trial.hpp"
#include "sim/sampling/capacity_risk.hpp"

namespace coterie::sim {
namespace {

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

std::size_t best_option(const PlanAnswer& answer) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < answer.options.size(); ++s)
    if (answer.options[s].assured > answer.options[best].assured * (1 + kNegligibleGain)) best = s;
  return best;
}

heuristics::WorksharingProblem planned_problem(const PlanQuestion& question, const Lives& lives) {
  heuristics::WorksharingProblem problem;
  problem.workers = question.workers;
  problem.work = 1;
  problem.startup_cost = question.startup_cost;
  problem.risk = capacity_law(lives.planned, question);
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

std::optional<double> ceiling_of(const PlanQuestion& question, const heuristics::WorksharingProblem& problem) {
  if (question.background) return std::nullopt;
  const double ceiling = heuristics::static_ceiling(problem, question.memory.get());
  return std::isnan(ceiling) ? std::nullopt : std::optional(ceiling);
}

/// A schedule of each strategy, not simulated yet; where it is open how long some machines stay, two each, one after
/// the other.
std::vector<PlanOption> planned_options(const PlanQuestion& question) {
  std::vector<Lives> lives = {question.lives};
  if (question.if_gone) lives.push_back(*question.if_gone);
  heuristics::Granularity granularity = question.granularity;
  granularity.memory = question.memory.get();
  ScheduleLibrary schedules("");
  const std::vector<std::string>& names = considered_strategies();
  std::vector<PlanOption> options(names.size() * lives.size());
  parallel_for(lives.size(), thread_count(0), [&](std::size_t l) {
    const heuristics::WorksharingProblem problem = planned_problem(question, lives[l]);
    heuristics::PlanCache plans(problem, granularity, nullptr, placement_of(question, problem));
    for (std::size_t n = 0; n < names.size(); ++n) {
      PlanOption& option = options[n * lives.size() + l];
      option.strategy = names[n];
      option.plan = question.catalogue->plan(names[n], schedules, plans);
    }
  });
  return options;
}

}  // namespace

std::uint64_t plan_identity() { return identity_hash("coterie plan"); }

bool gives_all(const Schedule& schedule) {
  if (schedule.boundaries().back() < kAllWork) return false;
  for (std::size_t piece = 0; piece < schedule.pieces(); ++piece)
    if (!schedule.is_given(piece)) return false;
  return true;
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

PlanAnswer answer(const PlanQuestion& question) {
  PlanAnswer result;
  result.question = question;
  result.problem = planned_problem(question, question.lives);
  result.options = planned_options(question);
  simulate(result);
  keep_one_of_each(result.options);
  result.chosen = best_option(result);
  result.static_ceiling = ceiling_of(question, result.problem);
  if (question.if_gone)
    result.static_ceiling_if_gone = ceiling_of(question, planned_problem(question, *question.if_gone));
  return result;
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
