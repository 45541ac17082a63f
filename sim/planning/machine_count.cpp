#include "sim/planning/machine_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/ties.hpp"

namespace coterie::sim {
namespace {

using Evaluate = std::function<CountTry(std::size_t workers, bool fresh)>;

constexpr std::uint64_t kSearchRuns = 1000;
constexpr std::uint64_t kFresh = 0x9e3779b97f4a7c15;  // XOR of the seeds of fresh and other runs

/// Fresh runs have another seed.
PlanQuestion question_of(const CountQuestion& asked, std::size_t workers, bool fresh) {
  PlanQuestion question = asked.question(workers);
  if (fresh) question.seed ^= kFresh;
  return question;
}

std::uint64_t runs_of(const CountQuestion& asked, bool fresh) {
  return fresh ? asked.listening.instances : std::min(kSearchRuns, asked.listening.instances);
}

bool is_asked_for(const PlanQuestion& question, const std::string& strategy) {
  return question.strategy.empty() || question.strategy == strategy;
}

CountTry best_static(const CountQuestion& asked, std::size_t workers, bool fresh) {
  asked.tell(workers);
  const PlanQuestion question = question_of(asked, workers, fresh);
  ListeningQuestion listening = asked.listening;
  listening.instances = runs_of(asked, fresh);
  CountTry best{workers, "", {-1}, {}};
  for (const PlanOption& option : options_if_asked_for(question, plan_caches(question))) {
    if (!is_asked_for(question, option.strategy)) continue;
    const ShareEstimate share = estimate_share(runs_in_time(option, question, listening), listening.instances);
    if (share.share > best.in_time.share) best = {workers, option.strategy, share, {}, option.keeps_lambda};
  }
  return best;
}

CountTry best_listening(const CountQuestion& asked, std::size_t workers, bool fresh) {
  asked.tell(workers);
  PlanAnswer plan;
  plan.question = question_of(asked, workers, fresh);
  plan.problem = planned_problem(plan.question, plan.question.lives);
  plan.plans = plan_caches(plan.question);
  plan.options = options_if_asked_for(plan.question, plan.plans);
  const std::string& strategy =
      plan.question.strategy.empty() ? considered_strategies().back() : plan.question.strategy;
  plan.chosen = static_cast<std::size_t>(&plan.option(strategy) - plan.options.data());
  if (!no_listening(plan).empty())
    throw InputError(
        fmt::format("--machines: the value of listening is not known for so many chunks on {} machines; "
                    "give --chunks N",
                    workers));
  ListeningQuestion how = asked.listening;
  how.instances = runs_of(asked, fresh);
  how.policies = {"help", "central"};
  const ListeningAnswer heard = listen(plan, how);
  CountTry best{workers, "", {-1}, {}};
  for (std::size_t o = 0; o < heard.options.size(); ++o) {
    const ListeningOption* worse = &heard.options[o];
    if (!worse->listens) continue;
    if (!heard.if_gone.empty() && heard.if_gone[o].in_time->share < worse->in_time->share) worse = &heard.if_gone[o];
    if (worse->in_time->share > best.in_time.share)
      best = {workers, worse->name, *worse->in_time, worse->goes_by,
              (heard.if_gone.empty() ? heard.options : heard.if_gone)[o].keeps_lambda};
  }
  return best;
}

/// The smallest number that is enough on some runs, found by growing and bisecting; 0: none.
std::size_t search(CountResult& result, std::size_t least, std::size_t most, double confidence,
                   const Evaluate& evaluate) {
  const auto enough = [&](std::size_t workers) {
    result.tried.push_back(evaluate(workers, false));
    return result.tried.back().in_time.share >= confidence;
  };
  std::size_t below = least - 1;
  std::size_t found = least;
  while (!enough(found)) {
    if (found == most) return 0;
    below = found;
    found = std::min(most, found + std::max<std::size_t>(1, found / 2));
  }
  while (found - below > 1) {
    const std::size_t middle = below + (found - below) / 2;
    (enough(middle) ? found : below) = middle;
  }
  return found;
}

const CountTry& most_often(const std::vector<CountTry>& tries) {
  return *std::max_element(tries.begin(), tries.end(),
                           [](const CountTry& a, const CountTry& b) { return a.in_time.share < b.in_time.share; });
}

CountResult smallest(std::size_t least, std::size_t most, double confidence, const Evaluate& evaluate) {
  CountResult result;
  std::map<std::size_t, CountTry> fresh;
  const auto confirmed = [&](std::size_t number) {
    const auto known = fresh.find(number);
    const CountTry& one = known == fresh.end() ? fresh[number] = evaluate(number, true) : known->second;
    return verdict_of(one.in_time, confidence) == Verdict::kMet;
  };
  std::size_t workers = search(result, least, most, confidence, evaluate);
  if (workers == 0) workers = most_often(result.tried).workers;
  while (!confirmed(workers)) {
    if (workers == most) {
      std::vector<CountTry> tries;
      for (const auto& [number, one] : fresh) tries.push_back(one);
      result.nearest = most_often(tries);
      return result;
    }
    workers = std::min(most, workers + std::max<std::size_t>(1, workers / 20));
  }
  while (workers > least && confirmed(workers - 1)) --workers;
  result.found = fresh[workers];
  if (workers > least) result.one_less = fresh[workers - 1];
  return result;
}

}  // namespace

std::optional<std::size_t> least_machines(double deadline, double startup_cost) {
  const double most_work = deadline - startup_cost;  // of a machine
  if (!(most_work > kSameTime * deadline) || 1 / most_work > 1e15) return std::nullopt;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(1 / most_work - 1e-9)));
}

CountAnswer count_machines(const CountQuestion& question) {
  const auto needed = least_machines(*question.listening.deadline, question.question(question.least).startup_cost);
  CountAnswer answer;
  answer.most = question.most;
  answer.least = std::max(question.least, needed.value_or(question.most + 1));
  if (answer.least > answer.most) return answer;
  const double confidence = question.listening.confidence;
  answer.fixed = smallest(answer.least, answer.most, confidence,
                          [&](std::size_t workers, bool fresh) { return best_static(question, workers, fresh); });
  answer.listening = smallest(answer.least, answer.most, confidence, [&](std::size_t workers, bool fresh) {
    return best_listening(question, workers, fresh);
  });
  return answer;
}

}  // namespace coterie::sim
