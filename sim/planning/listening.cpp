#include "sim/planning/listening.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/table.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "heuristics/worksharing/plan_cache.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/engine/rows.hpp"
#include "sim/models/dispatch_trial.hpp"

namespace coterie::sim {
namespace {

/// The chosen plan, and what listens.
std::vector<DispatchColumn> columns_for(const PlanAnswer& answer, const heuristics::DispatchQuestion& question) {
  const PlanOption& choice = answer.choice();
  std::vector<DispatchColumn> columns = {{choice.strategy, choice.plan, nullptr}};
  columns.push_back({"skip(" + choice.strategy + ")", std::nullopt, [schedule = *choice.plan.schedule] {
                       return std::make_unique<heuristics::PlannedLists>(schedule);
                     }});
  for (const char* name : {"help", "central", "adaptive"})
    columns.push_back(
        {name, std::nullopt, find_row(heuristics::listening_strategies(), name, "policy").prepare(question)});
  return columns;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

template <typename Holds>
double share(std::span<const double> values, const Holds& holds) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), holds)) / static_cast<double>(values.size());
}

std::vector<ListeningOption> outcomes(const PlanAnswer& answer, const Lives& lives, const ListeningQuestion& asked) {
  const PlanQuestion& question = answer.question;
  const std::uint64_t identity = plan_identity();
  DispatchTrialParts parts;
  parts.problem = planned_problem(question, lives);
  parts.listening.latency = parts.listening.notice = asked.latency;
  parts.times.emplace(lives.risks, question.workers, question.startup_cost, question.seed, identity, Sampling::kRandom);
  heuristics::PlanCache plans(parts.problem, question.granularity);
  parts.columns = columns_for(answer, {plans, parts.listening, StreamKey::derive(question.seed, identity, Use::kPlan)});
  parts.seed = question.seed;
  parts.identity = identity;
  const std::vector<DispatchColumn> columns = parts.columns;
  const auto trial = make_dispatch_trial(std::move(parts));

  const auto instances = static_cast<std::size_t>(asked.instances);
  std::vector<double> reference(instances);
  std::vector<std::vector<double>> kinds(1 + kMeasures, std::vector<double>(columns.size() * instances));
  const std::size_t blocks = (instances + kBlockInstances - 1) / kBlockInstances;
  parallel_for(blocks, thread_count(0), [&](std::size_t b) {
    const std::size_t first = b * kBlockInstances;
    Block block{first, std::min<std::size_t>(kBlockInstances, instances - first), reference.data() + first,
                kinds[0].data() + first, instances};
    for (std::size_t m = 0; m < kMeasures; ++m) block.measures[m] = kinds[1 + m].data() + first;
    trial->run(block);
  });

  std::vector<ListeningOption> options;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto row = [&](std::size_t kind) { return std::span(kinds[kind]).subspan(c * instances, instances); };
    std::vector<double> completed(row(0).begin(), row(0).end());
    for (std::size_t i = 0; i < instances; ++i) completed[i] *= reference[i];
    const std::span<const double> makespans = row(1 + kMakespan);
    ListeningOption option{columns[c].name,
                           !columns[c].plan,
                           mean(completed),
                           share(makespans, [](double time) { return std::isfinite(time); }),
                           {},
                           {}};
    if (asked.deadline)
      option.in_time = share(makespans, [&](double time) { return time <= just_after(*asked.deadline); });
    option.done = done_times({makespans.begin(), makespans.end()});
    option.machine_time = mean(row(1 + kMachineTime));
    option.wasted = mean(row(1 + kWasted));
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace

DoneTimes done_times(std::vector<double> makespans) {
  std::sort(makespans.begin(), makespans.end());
  const auto by = [&](double share) {
    return makespans[static_cast<std::size_t>(std::ceil(share * static_cast<double>(makespans.size()))) - 1];
  };
  return {by(0.5), by(0.9), by(0.95)};
}

const ListeningOption& most_done(const std::vector<ListeningOption>& options) {
  const auto less = [](const ListeningOption& a, const ListeningOption& b) { return a.completed < b.completed; };
  const double most = std::max_element(options.begin(), options.end(), less)->completed;
  const ListeningOption* best = nullptr;
  for (const ListeningOption& option : options)
    if (option.completed * (1 + kNegligibleGain) >= most &&
        (best == nullptr || option.machine_time < best->machine_time))
      best = &option;
  return *best;
}

ListeningAnswer listen(const PlanAnswer& answer, const ListeningQuestion& question) {
  if (answer.question.background) throw InputError("what listening is worth beside background jobs is not known");
  ListeningAnswer result{question, outcomes(answer, answer.question.lives, question), {}};
  if (answer.question.if_gone) result.if_gone = outcomes(answer, *answer.question.if_gone, question);
  return result;
}

}  // namespace coterie::sim
