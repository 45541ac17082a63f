#include "sim/planning/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"
#include "sim/kernel.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kCapacities = 2000;
constexpr const char* kStreams = "coterie plan";

heuristics::WorksharingProblem problem_of(const PlanQuestion& question) {
  heuristics::WorksharingProblem problem;
  problem.workers = question.workers;
  problem.work = 1;
  problem.startup_cost = question.startup_cost;
  problem.risk = capacity_law(question.planned, question);
  problem.lambda = question.lambda;
  // Of workers slowed down by jobs only the law of the typical one is known.
  if (!question.background && question.risks != std::vector{problem.risk}) problem.worker_risks = question.risks;
  problem.validate();
  return problem;
}

std::vector<std::string> names_for(const PlanQuestion& question) {
  if (question.strategy.empty()) return considered_strategies();
  std::vector<std::string> names = {"no-replication", "brute"};
  if (std::find(names.begin(), names.end(), question.strategy) == names.end()) names.push_back(question.strategy);
  return names;
}

void simulate(PlanAnswer& answer) {
  const PlanQuestion& question = answer.question;
  const StreamKey interruptions = StreamKey::derive(question.seed, identity_hash(kStreams), Use::kInterruption);
  const StreamKey arrivals = StreamKey::derive(question.seed, identity_hash(kStreams), Use::kArrival);
  std::vector<std::unique_ptr<Kernel>> kernels;
  double longest = 0;
  for (const PlanOption& option : answer.options) {
    kernels.push_back(compile(*option.plan.schedule));
    longest = std::max(longest, last_finish(*option.plan.schedule));
  }
  std::vector<std::vector<double>> done(kernels.size(), std::vector<double>(question.instances));
  std::vector<double> capacities(question.workers);
  KernelScratch scratch;
  for (std::uint64_t instance = 0; instance < question.instances; ++instance) {
    worker_uniforms(interruptions, instance, capacities);
    for (std::size_t w = 0; w < capacities.size(); ++w) {
      capacities[w] = question.risks[w % question.risks.size()]->quantile(capacities[w]);
      if (!question.background) continue;
      Stream stream(arrivals, instance, static_cast<std::uint32_t>(w));
      capacities[w] = question.background->capacity(capacities[w], longest, stream);
    }
    for (std::size_t s = 0; s < kernels.size(); ++s)
      done[s][instance] = kernels[s]->completed_work(capacities, instance, scratch);
  }
  constexpr double kAll = 1 - 1e-9;
  for (std::size_t s = 0; s < kernels.size(); ++s) {
    PlanOption& option = answer.options[s];
    option.simulated = summarise(done[s]);
    option.completion =
        static_cast<double>(std::count_if(done[s].begin(), done[s].end(), [](double work) { return work >= kAll; })) /
        static_cast<double>(question.instances);
    if (question.background) option.expected_work = option.simulated.mean;
  }
}

std::size_t best_option(const PlanAnswer& answer) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < answer.options.size(); ++s)
    if (answer.options[s].expected_work > answer.options[best].expected_work * (1 + kNegligibleGain)) best = s;
  return best;
}

}  // namespace

const PlanOption& PlanAnswer::option(const std::string& strategy) const {
  return *std::find_if(options.begin(), options.end(), [&](const auto& one) { return one.strategy == strategy; });
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
  PlanAnswer result{question, problem_of(question), {}, 0};
  const bool as_planned = question.risks.size() == 1 && question.risks.front() == result.problem.risk;
  for (const std::string& name : names_for(question)) {
    PlanOption option;
    option.strategy = name;
    option.plan = question.catalogue->strategy(name).build(result.problem, question.granularity);
    if (!option.plan.schedule)
      throw InputError(fmt::format("--strategy {}: its orders are drawn anew each time, which makes no plan", name));
    option.expected_work =
        as_planned ? option.plan.expected_work : expected_work(*option.plan.schedule, question.risks);
    result.options.push_back(std::move(option));
  }
  simulate(result);
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
