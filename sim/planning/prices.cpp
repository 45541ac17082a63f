#include "sim/planning/prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/cancellation.hpp"
#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "core/table.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "heuristics/worksharing/plan_cache.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/input/worker_classes.hpp"
#include "sim/planning/static_runs.hpp"

namespace coterie::sim {
namespace {

using heuristics::DispatchEvent;

/// No workload lasts so long, and the law has an end for those who look for one: near enough for a start-up cost to be
/// told from none in what is expected until then.
RiskPtr never() {
  constexpr double kEnd = 1e6;
  static const RiskPtr risk =
      std::make_shared<EmpiricalRisk>(std::vector{kEnd}, std::vector{1e-100}, "never interrupted");
  return risk;
}

/// Spot machines and machines on demand, spread evenly over the list; and what an hour of each costs.
struct Mix {
  PlanQuestion question;
  std::vector<double> prices;
};

Mix mix_of(const PriceQuestion& asked, std::size_t spot, std::size_t on_demand) {
  Mix mix;
  mix.question = asked.question(std::max<std::size_t>(1, spot));
  mix.question.workers = spot + on_demand;
  Lives& lives = mix.question.lives;
  const std::vector<RiskPtr> of_spot = lives.risks;
  if (on_demand > 0)
    lives.planned = std::make_shared<MixtureRisk>(
        std::vector{lives.planned, never()}, std::vector{static_cast<double>(spot), static_cast<double>(on_demand)},
        lives.planned->text());
  lives.risks.clear();
  std::size_t next = 0;
  for (const std::size_t kind : class_of_workers({spot, on_demand})) {
    lives.risks.push_back(kind == 1 ? never() : of_spot[of_spot.size() == 1 ? 0 : next++]);
    mix.prices.push_back(kind == 1 ? asked.prices.on_demand : asked.prices.spot);
  }
  if (on_demand == 0) lives.risks = of_spot;
  return mix;
}

PricedMix priced(std::size_t spot, std::size_t on_demand, const std::string& strategy, bool listens,
                 const StaticRuns& runs, double confidence) {
  PricedMix one{spot, on_demand, strategy, listens};
  const auto n = static_cast<double>(runs.makespans.size());
  one.cost = std::accumulate(runs.costs.begin(), runs.costs.end(), 0.0) / n;
  one.done_by = done_times(runs.makespans, confidence).confident;
  one.completion = static_cast<double>(std::count_if(runs.makespans.begin(), runs.makespans.end(),
                                                     [](double time) { return std::isfinite(time); })) /
                   n;
  return one;
}

/// What the workers computed, by the log of an instance.
double price_of(const std::vector<DispatchEvent>& log, const std::vector<double>& prices, std::vector<double>& begin) {
  begin.assign(prices.size(), -1);
  double cost = 0;
  for (const DispatchEvent& event : log) {
    double& since = begin[event.worker];
    if (event.kind == DispatchEvent::Kind::kBegins) since = event.time;
    const bool ends = event.kind == DispatchEvent::Kind::kEnds || event.kind == DispatchEvent::Kind::kDrops ||
                      event.kind == DispatchEvent::Kind::kInterrupted;
    if (!ends || since < 0) continue;
    cost += prices[event.worker] * (event.time - since);
    since = -1;
  }
  return cost;
}

/// Also fills in what the policy goes by.
StaticRuns run_central(const Mix& mix, const SampledTimes& times, const ListeningQuestion& asked,
                       heuristics::PolicyPlan& goes_by) {
  const PlanQuestion& question = mix.question;
  const heuristics::WorksharingProblem problem = planned_problem(question, question.lives);
  heuristics::Listening listening;
  listening.latency = listening.notice = asked.latency;
  heuristics::PlanCache plans(problem, question.granularity);
  const auto central = find_row(heuristics::listening_strategies(), "central", "policy")
                           .prepare({plans, listening, StreamKey::derive(question.seed, plan_identity(), Use::kPlan)});
  StaticRuns runs{std::vector<double>(asked.instances), std::vector<double>(asked.instances)};
  heuristics::DispatchRun run("central", question.workers, 1, question.startup_cost, times.risks(), listening);
  const auto policy = central();
  goes_by = policy->plan();
  std::vector<std::vector<double>> lives;
  std::vector<double> begin;
  std::vector<DispatchEvent> log;
  for (std::uint64_t i = 0; i < asked.instances; ++i) {
    if (i % kLanes == 0) draw_lives(times, i, lives);
    cancellation_point();
    log.clear();
    runs.makespans[i] = run(*policy, lives[i % kLanes], &log).makespan;
    runs.costs[i] = price_of(log, mix.prices, begin);
  }
  return runs;
}

/// Equal parts: nothing is interrupted.
PricedMix on_demand_alone(const PriceQuestion& asked, std::size_t machines) {
  PricedMix one{0, machines, "equal parts"};
  const double startup = asked.question(1).startup_cost;
  one.done_by = 1 / static_cast<double>(machines) + startup;
  one.cost = asked.prices.on_demand * (1 + startup * static_cast<double>(machines));
  one.completion = 1;
  return one;
}

void price_mix(const PriceQuestion& asked, std::size_t spot, std::size_t on_demand, std::vector<PricedMix>& mixes) {
  const Mix mix = mix_of(asked, spot, on_demand);
  const PlanQuestion& question = mix.question;
  const SampledTimes times(question.lives.risks, question.workers, question.startup_cost, question.seed,
                           plan_identity(), Sampling::kRandom);
  const heuristics::WorksharingProblem problem = planned_problem(question, question.lives);
  for (const char* name : {"no-replication", "brute", "cyclic-replication", "greedy"}) {
    const heuristics::Plan plan = question.catalogue->plan(name, *question.schedules, problem, question.granularity);
    const StaticRuns runs = run_static(*plan.schedule, times, asked.listening.instances, mix.prices, 1);
    mixes.push_back(priced(spot, on_demand, name, false, runs, asked.listening.confidence));
  }
  heuristics::PolicyPlan goes_by;
  const StaticRuns runs = run_central(mix, times, asked.listening, goes_by);
  mixes.push_back(priced(spot, on_demand, "central", true, runs, asked.listening.confidence));
  mixes.back().goes_by = std::move(goes_by);
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> priced_mixes(std::size_t most) {
  std::set<std::size_t> numbers = {0, most};
  for (std::size_t n = 1; n < most; n *= 2) numbers.insert(n);
  std::vector<std::pair<std::size_t, std::size_t>> mixes;
  for (const std::size_t spot : numbers)
    for (const std::size_t on_demand : numbers)
      if (spot + on_demand > 0 && spot + on_demand <= most) mixes.emplace_back(spot, on_demand);
  for (const std::size_t n : numbers)
    if (n > 0 && !numbers.contains(most - n)) mixes.emplace_back(most - n, n);
  return mixes;
}

PriceAnswer price_mixes(const PriceQuestion& question) {
  PriceAnswer answer{question.prices, {}, question.listening.instances};
  const std::vector<std::pair<std::size_t, std::size_t>> numbers = priced_mixes(question.most);
  std::vector<std::vector<PricedMix>> found(numbers.size());
  parallel_for(numbers.size(), thread_count(0), [&](std::size_t i) {
    const std::size_t spot = numbers[i].first, on_demand = numbers[i].second;
    question.tell(fmt::format("{} spot, {} on demand", spot, on_demand));
    if (spot == 0)
      found[i] = {on_demand_alone(question, on_demand)};
    else
      price_mix(question, spot, on_demand, found[i]);
  });
  for (const std::vector<PricedMix>& mixes : found) answer.mixes.insert(answer.mixes.end(), mixes.begin(), mixes.end());
  std::stable_sort(answer.mixes.begin(), answer.mixes.end(),
                   [](const PricedMix& a, const PricedMix& b) { return a.cost < b.cost; });
  mark_frontier(answer.mixes);
  return answer;
}

void mark_frontier(std::vector<PricedMix>& mixes) {
  for (PricedMix& one : mixes) {
    one.on_frontier = std::isfinite(one.done_by);
    for (const PricedMix& other : mixes) {
      const bool as_good = other.cost <= one.cost && other.done_by <= one.done_by;
      const bool better = other.cost < one.cost || other.done_by < one.done_by;
      if (as_good && (better || &other < &one)) one.on_frontier = false;
    }
  }
}

}  // namespace coterie::sim
