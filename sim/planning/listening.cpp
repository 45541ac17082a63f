#include "sim/planning/listening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/contract.hpp"
#include "core/table.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "heuristics/worksharing/best_plan.hpp"
#include "heuristics/worksharing/plan_cache.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/engine/rows.hpp"
#include "sim/models/dispatch_trial.hpp"
#include "sim/planning/static_runs.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

std::size_t count_by(std::span<const double> times, double deadline) {
  return static_cast<std::size_t>(
      std::count_if(times.begin(), times.end(), [&](double time) { return time <= just_after(deadline); }));
}

SampledTimes sampled_times(const PlanQuestion& question, const Lives& lives) {
  return {lives.risks, question.workers, question.startup_cost, question.seed, plan_identity(), question.zones};
}

/// The trial to run, without its columns.
DispatchTrialParts trial_parts(const PlanQuestion& question, const Lives& lives, const ListeningQuestion& asked) {
  DispatchTrialParts parts;
  parts.problem = planned_problem(question, lives);
  parts.listening.latency = parts.listening.notice = asked.latency;
  parts.listening.horizon = asked.horizon;
  parts.times.emplace(sampled_times(question, lives));
  if (asked.availability) parts.availability = asked.availability(lives.risks);
  parts.seed = question.seed;
  parts.identity = plan_identity();
  return parts;
}

/// The outcome of each column in each instance.
struct Measured {
  std::size_t instances;
  std::vector<double> completed;
  std::vector<double> in_time;  // the same by the deadline, if there is one
  std::vector<std::vector<double>> measures;

  std::span<const double> of(const std::vector<double>& values, std::size_t column) const {
    return std::span(values).subspan(column * instances, instances);
  }
};

Measured measure(DispatchTrialParts parts, std::size_t instances, std::optional<double> deadline) {
  const std::size_t columns = parts.columns.size();
  Measured found{instances, std::vector<double>(columns * instances),
                 std::vector<double>(deadline ? columns * instances : 0),
                 std::vector<std::vector<double>>(kMeasures, std::vector<double>(columns * instances))};
  if (deadline) parts.in_time = {*deadline, found.in_time.data(), instances};
  const auto trial = make_dispatch_trial(std::move(parts));
  std::vector<double> reference(instances);
  constexpr std::size_t kAtATime = kLanes;  // few, as there are hundreds of instances rather than thousands
  parallel_for((instances + kAtATime - 1) / kAtATime, thread_count(0), [&](std::size_t b) {
    const std::size_t first = b * kAtATime;
    Block block{first, std::min(kAtATime, instances - first), reference.data() + first, found.completed.data() + first,
                instances};
    for (std::size_t m = 0; m < kMeasures; ++m) block.measures[m] = found.measures[m].data() + first;
    trial->run(block);
  });
  for (std::size_t i = 0; i < found.completed.size(); ++i) found.completed[i] *= reference[i % instances];
  return found;
}

/// The number of runs in which a static schedule has all work done by the deadline, with these lives.
std::size_t runs_in_time_with(const Lives& lives, const PlanOption& option, const PlanQuestion& question,
                              const ListeningQuestion& asked) {
  if (!asked.availability)
    return count_by(
        run_static(*option.plan.schedule, sampled_times(question, lives), asked.instances, std::vector{1.0}).makespans,
        *asked.deadline);
  DispatchTrialParts parts = trial_parts(question, lives, asked);
  parts.columns = {{option.strategy, option.plan, nullptr}};
  return count_by(measure(std::move(parts), asked.instances, {}).measures[kMakespan], *asked.deadline);
}

struct StaticInTime {
  const PlanOption* option = nullptr;
  std::size_t runs = 0;            ///< in which it has all work done by the deadline
  std::size_t runs_of_choice = 0;  ///< the same of the choice
};

/// The static strategy that has all work done by the deadline in the most runs, the choice in a tie; where it is open
/// how long some machines stay, in the worse case.
StaticInTime static_in_time(const PlanAnswer& answer, const ListeningQuestion& asked) {
  const PlanQuestion& question = answer.question;
  StaticInTime best;
  const auto consider = [&](const PlanOption& option) {
    const std::size_t in_time = runs_in_time(option, question, asked);
    if (best.option == nullptr) best.runs_of_choice = in_time;
    if (best.option == nullptr || in_time > best.runs) best = {&option, in_time, best.runs_of_choice};
  };
  consider(answer.choice());
  for (const PlanOption& option : answer.options)
    if (&option != &answer.choice() && is_measured(*option.plan.schedule)) consider(option);
  return best;
}

/// The static strategies that are told besides the choice.
std::vector<const PlanOption*> beside_choice(const PlanAnswer& answer, const ListeningQuestion& asked) {
  std::vector<const PlanOption*> beside;
  if (asked.availability) {
    for (const PlanOption& option : answer.options)
      if (&option != &answer.choice() && is_measured(*option.plan.schedule)) beside.push_back(&option);
  } else if (asked.deadline && answer.chosen_by != ChosenBy::kDeadline) {
    const PlanOption* in_time = static_in_time(answer, asked).option;
    if (in_time != &answer.choice()) beside.push_back(in_time);
  }
  return beside;
}

/// The chosen plan, those beside it, and the options that listen.
std::vector<DispatchColumn> columns_for(const PlanAnswer& answer, const std::vector<const PlanOption*>& beside,
                                        const std::vector<std::string>& policies,
                                        const heuristics::DispatchQuestion& question) {
  const PlanOption& choice = answer.choice();
  std::vector<DispatchColumn> columns = {{choice.strategy, choice.plan, nullptr}};
  for (const PlanOption* option : beside) columns.push_back({option->strategy, option->plan, nullptr});
  columns.push_back(
      {"skip(" + choice.strategy + ")", std::nullopt,
       [schedule = *choice.plan.schedule] { return std::make_unique<heuristics::PlannedLists>(schedule); },
       !answer.question.if_gone});  // else the choice may be made for the other lives
  for (const std::string& name : policies)
    columns.push_back(
        {name, std::nullopt, find_row(heuristics::listening_strategies(), name, "policy").prepare(question)});
  return columns;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Standard error of the mean of the differences of two shares, instance by instance.
double error_of_difference(std::span<const double> shares, std::span<const double> others) {
  RowMoments differences;
  for (std::size_t i = 0; i < shares.size(); ++i) differences.sum(shares[i] - others[i]);
  differences.end_of_sum();
  for (std::size_t i = 0; i < shares.size(); ++i) differences.deviate(shares[i] - others[i]);
  return standard_error(differences.moments());
}

/// The place of the static schedule to take if machines come back.
std::size_t best_with_returns(const PlanAnswer& answer, const ListeningQuestion& question) {
  DispatchTrialParts parts = trial_parts(answer.question, answer.question.lives, question);
  std::vector<std::size_t> measured;
  for (std::size_t s = 0; s < answer.options.size(); ++s) {
    const PlanOption& option = answer.options[s];
    if (!is_measured(*option.plan.schedule)) continue;
    measured.push_back(s);
    parts.columns.push_back({option.strategy, option.plan, nullptr});
  }
  const Measured found = measure(std::move(parts), static_cast<std::size_t>(question.instances), {});
  std::vector<double> work, half;
  for (std::size_t c = 0; c < measured.size(); ++c) {
    const std::span<const double> makespans = found.of(found.measures[kMakespan], c);
    work.push_back(mean(found.of(found.completed, c)));
    half.push_back(done_times({makespans.begin(), makespans.end()}, question.confidence).half);
  }
  const double most = *std::max_element(work.begin(), work.end());
  const auto does_most = [&](std::size_t c) { return work[c] * (1 + kNegligibleGain) >= most; };
  double soonest = kInfinity;
  for (std::size_t c = 0; c < measured.size(); ++c)
    if (does_most(c)) soonest = std::min(soonest, half[c]);
  std::size_t c = 0;
  while (!does_most(c) || kMuchSooner * half[c] > soonest) ++c;
  return measured[c];
}

/// Whether what listens keeps to lambda. Policies give no worker a chunk twice unless it comes back, so what they give
/// it is at most all of the work.
bool policy_keeps_lambda(const heuristics::WorksharingProblem& problem, bool comes_back) {
  const auto risks = problem.risks();
  return problem.lambda >= 1 || (!comes_back && std::all_of(risks.begin(), risks.end(), [&](const RiskPtr& risk) {
           return tolerates(*risk, problem.work, problem.lambda);
         }));
}

/// `plans`: for these lives.
std::vector<ListeningOption> outcomes(const PlanAnswer& answer, const Lives& lives, heuristics::PlanCache& plans,
                                      const ListeningQuestion& asked, const std::vector<const PlanOption*>& beside) {
  const PlanQuestion& question = answer.question;
  DispatchTrialParts parts = trial_parts(question, lives, asked);
  const std::shared_ptr<const heuristics::Availability> availability = parts.availability;
  parts.columns = columns_for(
      answer, beside, asked.policies,
      {plans, parts.listening, StreamKey::derive(question.seed, plan_identity(), Use::kPlan), question.zones,
       availability.get(), [](std::size_t count, const auto& task) { parallel_for(count, thread_count(0), task); }});
  const std::vector<DispatchColumn> columns = parts.columns;
  const heuristics::WorksharingProblem problem = parts.problem;
  const auto instances = static_cast<std::size_t>(asked.instances);
  const Measured found = measure(std::move(parts), instances, asked.deadline);

  std::vector<ListeningOption> options;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::span<const double> makespans = found.of(found.measures[kMakespan], c);
    ListeningOption option{columns[c].name, !columns[c].plan, mean(found.of(found.completed, c))};
    if (asked.deadline) option.completed_in_time = mean(found.of(found.in_time, c));
    const std::vector<double>& counted = asked.deadline ? found.in_time : found.completed;
    option.gain_error = error_of_difference(found.of(counted, c), found.of(counted, 0));
    option.completion =
        static_cast<double>(count_by(makespans, std::numeric_limits<double>::max())) / static_cast<double>(instances);
    if (asked.deadline) option.in_time = estimate_share(count_by(makespans, *asked.deadline), instances);
    option.done = done_times({makespans.begin(), makespans.end()}, asked.confidence);
    option.machine_time = mean(found.of(found.measures[kMachineTime], c));
    const double wasted = mean(found.of(found.measures[kWasted], c));
    option.wasted = wasted > 1e-9 * option.machine_time ? wasted : 0;  // from rounded ends of chunks
    const auto policy = columns[c].policy ? columns[c].policy() : nullptr;
    if (policy) option.goes_by = policy->plan();
    const auto* const lists = dynamic_cast<const heuristics::PlannedLists*>(policy.get());
    if (columns[c].plan) {
      option.keeps_lambda = keeps_lambda(*columns[c].plan->schedule, problem.risks(), problem.lambda);
    } else {
      option.keeps_lambda = lists != nullptr ? keeps_lambda(lists->schedule(), problem.risks(), problem.lambda)
                                             : policy_keeps_lambda(problem, availability != nullptr);
    }
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace

std::size_t runs_in_time(const PlanOption& option, const PlanQuestion& question, const ListeningQuestion& asked) {
  const std::size_t in_time = runs_in_time_with(question.lives, option, question, asked);
  return question.if_gone ? std::min(in_time, runs_in_time_with(*question.if_gone, option, question, asked)) : in_time;
}

std::string no_listening(const PlanAnswer& answer) {
  if (answer.question.background) return "background-jobs";
  return is_measured(*answer.choice().plan.schedule) ? "" : "tasks";
}

DoneTimes done_times(std::vector<double> makespans, double confidence) {
  std::sort(makespans.begin(), makespans.end());
  const auto by = [&](double share) {
    // 0.95 x 20 is a digit more than 19.
    const double runs = std::ceil(share * static_cast<double>(makespans.size()) * (1 - kSameTime));
    return makespans[static_cast<std::size_t>(std::max(1.0, runs)) - 1];
  };
  return {by(0.5), by(0.9), by(0.95), by(confidence)};
}

const ListeningOption& most_done(const std::vector<ListeningOption>& options) {
  const auto less = [](const ListeningOption& a, const ListeningOption& b) { return a.counted() < b.counted(); };
  const double most = std::max_element(options.begin(), options.end(), less)->counted();
  const ListeningOption* best = nullptr;
  for (const ListeningOption& option : options)
    if (option.counted() * (1 + kNegligibleGain) >= most &&
        (best == nullptr || option.machine_time < best->machine_time))
      best = &option;
  return *best;
}

const ListeningOption& most_in_time(const std::vector<ListeningOption>& options) {
  return *std::max_element(options.begin(), options.end(), [](const ListeningOption& a, const ListeningOption& b) {
    if (a.in_time->share != b.in_time->share) return a.in_time->share < b.in_time->share;
    return a.machine_time > b.machine_time;
  });
}

bool surely_more(double more, double less, double runs) {
  const double most_that_differ = std::min(more + less, 2 * runs - more - less);
  return more - less > kSurely * std::sqrt(most_that_differ);
}

void choose_by_simulation(PlanAnswer& answer, const ListeningQuestion& question) {
  if (!answer.question.strategy.empty()) return;
  if (question.availability) {
    answer.chosen = best_with_returns(answer, question);
    answer.chosen_by = ChosenBy::kReturns;
  }
  if (!question.deadline) return;
  const StaticInTime in_time = static_in_time(answer, question);
  const auto runs = static_cast<double>(question.instances);
  const auto best = static_cast<double>(in_time.runs), taken = static_cast<double>(in_time.runs_of_choice);
  if (best < kLikely * runs || !surely_more(best, taken, runs)) return;
  answer.chosen = static_cast<std::size_t>(in_time.option - answer.options.data());
  answer.chosen_by = ChosenBy::kDeadline;
}

ListeningAnswer listen(const PlanAnswer& answer, const ListeningQuestion& question) {
  if (answer.question.background) throw InputError("the value of listening is not known with background jobs");
  COTERIE_REQUIRE(answer.plans.size() == (answer.question.if_gone ? 2 : 1));
  const PlanQuestion& asked = answer.question;
  const std::vector<const PlanOption*> beside = beside_choice(answer, question);
  ListeningAnswer result{question, outcomes(answer, asked.lives, *answer.plans.front(), question, beside), {}};
  if (asked.if_gone) result.if_gone = outcomes(answer, *asked.if_gone, *answer.plans.back(), question, beside);
  return result;
}

}  // namespace coterie::sim
