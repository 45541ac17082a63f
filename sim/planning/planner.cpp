#include "sim/planning/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cancellation.hpp"
#include "core/empirical_risk.hpp"
#include "core/ties.hpp"
#include "sim/kernels/kernel.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kCapacities = 2000;
constexpr const char* kStreams = "coterie plan";

heuristics::WorksharingProblem problem_of(const PlanQuestion& question, const Lives& lives) {
  heuristics::WorksharingProblem problem;
  problem.workers = question.workers;
  problem.work = 1;
  problem.startup_cost = question.startup_cost;
  problem.risk = capacity_law(lives.planned, question);
  problem.lambda = question.lambda;
  // Of workers slowed down by jobs only the law of the typical one is known.
  if (!question.background && lives.risks != std::vector{problem.risk}) problem.worker_risks = lives.risks;
  problem.validate();
  return problem;
}

std::vector<std::string> names_for(const PlanQuestion& question) {
  if (question.strategy.empty()) return considered_strategies();
  std::vector<std::string> names = {"no-replication", "brute"};
  if (std::find(names.begin(), names.end(), question.strategy) == names.end()) names.push_back(question.strategy);
  return names;
}

/// What comes of these plans where machines stay so long, on the same instances for all.
std::vector<Outcome> outcomes(const PlanQuestion& question, const Lives& lives,
                              const std::vector<const heuristics::Plan*>& plans) {
  const StreamKey interruptions = StreamKey::derive(question.seed, identity_hash(kStreams), Use::kInterruption);
  const StreamKey arrivals = StreamKey::derive(question.seed, identity_hash(kStreams), Use::kArrival);
  std::vector<std::unique_ptr<Kernel>> kernels;
  double longest = 0;
  for (const heuristics::Plan* plan : plans) {
    kernels.push_back(compile(*plan->schedule));
    longest = std::max(longest, last_finish(*plan->schedule));
  }
  std::vector<std::vector<double>> done(kernels.size(), std::vector<double>(question.instances));
  std::vector<double> uniforms(question.workers);
  std::vector<double> capacities(question.workers * kLanes);
  KernelScratch scratch;
  for (std::size_t first = 0; first < question.instances; first += kLanes) {
    cancellation_point();
    const std::size_t lanes = std::min<std::size_t>(kLanes, question.instances - first);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      worker_uniforms(interruptions, first + lane, uniforms);
      for (std::size_t w = 0; w < uniforms.size(); ++w) {
        double capacity = lives.risks[w % lives.risks.size()]->quantile(uniforms[w]);
        if (question.background) {
          Stream stream(arrivals, first + lane, static_cast<std::uint32_t>(w));
          capacity = question.background->capacity(capacity, longest, stream);
        }
        capacities[w * kLanes + lane] = just_after(capacity);
      }
    }
    double work[kLanes];
    for (std::size_t s = 0; s < kernels.size(); ++s) {
      kernels[s]->completed_work(capacities.data(), first, lanes, scratch, work);
      std::copy_n(work, lanes, done[s].data() + first);
    }
  }
  constexpr double kAll = 1 - 1e-9;
  std::vector<Outcome> result(plans.size());
  for (std::size_t s = 0; s < plans.size(); ++s) {
    result[s].simulated = summarise(done[s]);
    result[s].completion =
        static_cast<double>(std::count_if(done[s].begin(), done[s].end(), [](double work) { return work >= kAll; })) /
        static_cast<double>(question.instances);
    result[s].expected_work =
        question.background ? result[s].simulated.mean : expected_work(*plans[s]->schedule, lives.risks);
  }
  return result;
}

void simulate(PlanAnswer& answer) {
  std::vector<const heuristics::Plan*> plans;
  for (const PlanOption& option : answer.options) plans.push_back(&option.plan);
  const std::vector<Outcome> thought = outcomes(answer.question, answer.question.lives, plans);
  for (std::size_t s = 0; s < plans.size(); ++s) static_cast<Outcome&>(answer.options[s]) = thought[s];
  if (!answer.question.if_gone) return;
  const std::vector<Outcome> gone = outcomes(answer.question, *answer.question.if_gone, plans);
  for (std::size_t s = 0; s < plans.size(); ++s) answer.options[s].if_gone = gone[s];
}

/// Fills in what each option is assured of.
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

/// Of the schedules of each strategy, which stand side by side, the one that is assured of most.
void keep_one_of_each(std::vector<PlanOption>& options) {
  std::vector<PlanOption> kept;
  for (PlanOption& option : options) {
    if (kept.empty() || kept.back().strategy != option.strategy)
      kept.push_back(std::move(option));
    else if (option.assured > kept.back().assured)
      kept.back() = std::move(option);
  }
  options = std::move(kept);
}

std::size_t best_option(const PlanAnswer& answer) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < answer.options.size(); ++s)
    if (answer.options[s].assured > answer.options[best].assured * (1 + kNegligibleGain)) best = s;
  return best;
}

}  // namespace

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

RiskPtr capacity_law(const RiskPtr& risk, const PlanQuestion& question) {
  if (!question.background) return risk;
  const StreamKey key = StreamKey::derive(question.seed, identity_hash(kStreams), Use::kPlan);
  // Nobody runs more than all of the work, and start-up costs that outweigh it are not worth planning for.
  const double enough = 2 + 2 * question.startup_cost;
  std::vector<double> capacities(kCapacities);
  for (std::size_t i = 0; i < kCapacities; ++i) {
    // One uniform in each of equal strata: the risk itself adds no noise to the plan.
    const double uniform = (static_cast<double>(i) + 0.5) / static_cast<double>(kCapacities);
    Stream stream(key, i, 0);
    capacities[i] = std::min(enough, question.background->capacity(risk->quantile(uniform), enough, stream));
  }
  return std::make_shared<EmpiricalRisk>(std::move(capacities), risk->text() + " under background jobs");
}

PlanAnswer answer(const PlanQuestion& question) {
  PlanAnswer result{question, problem_of(question, question.lives), {}, 0};
  std::vector<heuristics::WorksharingProblem> problems = {result.problem};
  if (question.if_gone) problems.push_back(problem_of(question, *question.if_gone));
  for (const std::string& name : names_for(question))
    for (const heuristics::WorksharingProblem& problem : problems) {
      PlanOption option;
      option.strategy = name;
      option.plan = question.catalogue->plan(name, *question.schedules, problem, question.granularity);
      if (!option.plan.schedule)
        throw InputError(fmt::format("--strategy {}: its orders are drawn anew each time, which makes no plan", name));
      result.options.push_back(std::move(option));
    }
  simulate(result);
  compare(result.options);
  keep_one_of_each(result.options);
  compare(result.options);
  result.chosen = best_option(result);
  if (!question.strategy.empty())
    for (std::size_t s = 0; s < result.options.size(); ++s)
      if (result.options[s].strategy == question.strategy) result.chosen = s;
  return result;
}

Copies copies_of(const Schedule& schedule) {
  std::vector<std::size_t> copies(schedule.pieces(), 0);
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (const Task& task : schedule.tasks(w).tasks)
      for (std::size_t k = 0; k < task.pieces; ++k) ++copies[task.first_piece + k];
  const auto [least, most] = std::minmax_element(copies.begin(), copies.end());
  Copies result{*least, 0, *most};
  for (std::size_t i = 0; i < copies.size(); ++i)
    result.mean += static_cast<double>(copies[i]) * schedule.piece_sizes()[i] / schedule.boundaries().back();
  return result;
}

}  // namespace coterie::sim
