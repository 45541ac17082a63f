#include "sim/planning/prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

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

/// No workload lasts until kEnd. The law has an end for code that looks for one, near enough that a start-up cost still
/// makes a difference in what is expected until then.
constexpr double kEnd = 1e6;
constexpr double kEndWeight = 1e-100;
RiskPtr never() {
  static const RiskPtr risk = std::make_shared<EmpiricalRisk>(StepLaw{{kEnd}, {kEndWeight}}, "never interrupted");
  return risk;
}

/// In planning central for a mix: there are many mixes, and their parameters hardly matter.
constexpr double kEffortForMixes = 0.125;

/// The law of a machine drawn from both kinds. If the law of spot machines is empirical, so is this one, which is
/// faster than a mixture.
RiskPtr drawn_law(const RiskPtr& of_spot, std::size_t spot, std::size_t on_demand) {
  const EmpiricalRisk* steps = of_spot->steps();
  if (steps == nullptr || steps->jumps().back() >= kEnd)
    return std::make_shared<MixtureRisk>(std::vector{of_spot, never()},
                                         std::vector{static_cast<double>(spot), static_cast<double>(on_demand)},
                                         of_spot->text());
  const double share = static_cast<double>(spot) / static_cast<double>(spot + on_demand);
  StepLaw law = steps->law();
  for (double& weight : law.weights) weight *= share;
  law.add(kEnd, kEndWeight);
  return std::make_shared<EmpiricalRisk>(std::move(law), of_spot->text());
}

/// Spot machines and machines on demand, spread evenly over the list, with their prices.
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
  if (on_demand > 0) lives.planned = drawn_law(lives.planned, spot, on_demand);
  lives.risks.clear();
  std::size_t next = 0;
  for (const std::size_t kind : class_of_workers({spot, on_demand})) {
    lives.risks.push_back(kind == 1 ? never() : of_spot[of_spot.size() == 1 ? 0 : next++]);
    mix.prices.push_back(kind == 1 ? asked.prices.on_demand : asked.prices.spot);
  }
  if (on_demand == 0) lives.risks = of_spot;
  return mix;
}

/// Equal parts: nothing is interrupted.
PricedMix on_demand_alone(const PriceQuestion& asked, std::size_t machines) {
  PricedMix one{.on_demand = machines, .strategy = "equal parts"};
  const double startup = asked.question(1).startup_cost;
  one.done_by = 1 / static_cast<double>(machines) + startup;
  one.cost = asked.prices.on_demand * (1 + startup * static_cast<double>(machines));
  one.completion = 1;
  return one;
}

/// Runs of so many machines.
std::uint64_t first_look(const PriceQuestion& asked, std::size_t machines) {
  constexpr std::uint64_t kMany = 100, kFewRuns = 32;
  const std::uint64_t most = machines <= kMany ? asked.first_look : asked.first_look * kMany / machines;
  return std::min(std::max(most, std::min(kFewRuns, asked.first_look)), asked.listening.instances);
}

/// A mix that is ready to be run.
class PreparedMix {
 public:
  PreparedMix(const PriceQuestion& asked, std::size_t spot, std::size_t on_demand)
      : asked_(asked.listening),
        first_(first_look(asked, spot + on_demand)),
        mix_(mix_of(asked, spot, on_demand)),
        problem_(planned_problem(mix_.question, mix_.question.lives)),
        plans_(problem_, mix_.question.granularity),
        times_(mix_.question.lives.risks, mix_.question.workers, mix_.question.startup_cost, mix_.question.seed,
               plan_identity()) {
    const PlanQuestion& question = mix_.question;
    for (const std::string name : {"no-replication", "brute", "cyclic-replication", "greedy"}) {
      // Each machine would run all of the work: one on demand alone does that as soon, for less.
      if (on_demand > 0 && name == "brute") continue;
      ways.push_back({spot, on_demand, name});
      ways.back().schedule = question.catalogue->plan(name, *question.schedules, plans_).schedule;
    }
    ways.push_back({spot, on_demand, "central", true});
    seen.resize(ways.size());
  }

  /// Runs one of the ways.
  void run(PricedMix& way, std::uint64_t instances, bool planned) {
    way.planned = way.listens && planned;
    way.instances = instances;
    tell(way, way.listens ? run_central(way, instances) : run_static(*way.schedule, times_, instances, mix_.prices, 1));
  }

  std::vector<PricedMix> ways;
  struct Seen {
    double hoped_for = 0;      ///< an optimistic finishing time, allowing for chance
    double first_cost = 0;     ///< in its first runs,
    double first_done_by = 0;  ///< and its finishing time in these
  };
  std::vector<Seen> seen;  ///< by way

 private:
  StaticRuns run_central(PricedMix& way, std::uint64_t instances) {
    const PlanQuestion& question = mix_.question;
    heuristics::Listening listening;
    listening.latency = listening.notice = asked_.latency;
    heuristics::DispatchQuestion made_for{plans_, listening,
                                          StreamKey::derive(question.seed, plan_identity(), Use::kPlan)};
    if (way.on_demand > 0) made_for.effort = kEffortForMixes;
    const heuristics::PolicyMaker central =
        way.planned ? find_row(heuristics::listening_strategies(), "central", "policy").prepare(made_for)
                    : heuristics::unplanned_central(made_for);
    StaticRuns runs{std::vector<double>(instances), std::vector<double>(instances)};
    heuristics::DispatchRun run("central", question.workers, 1, question.startup_cost, times_.risks(), listening);
    const auto policy = central();
    way.goes_by = policy->plan();
    std::vector<std::vector<double>> lives;
    for (std::uint64_t i = 0; i < instances; ++i) {
      if (i % kLanes == 0) draw_lives(times_, i, lives);
      cancellation_point();
      runs.makespans[i] = run(*policy, lives[i % kLanes]).makespan;
      runs.costs[i] = std::inner_product(mix_.prices.begin(), mix_.prices.end(), run.machine_times().begin(), 0.0);
    }
    return runs;
  }

  void tell(PricedMix& way, const StaticRuns& runs) {
    const auto n = static_cast<double>(runs.makespans.size());
    const Summary costs = summarise(runs.costs);
    way.cost = costs.mean;
    way.cost_error = costs.standard_error;
    way.done_by = done_times(runs.makespans, asked_.confidence).confident;
    way.completion = static_cast<double>(std::count_if(runs.makespans.begin(), runs.makespans.end(),
                                                       [](double time) { return std::isfinite(time); })) /
                     n;
    const double slack = 1 / n + 3 * std::sqrt(asked_.confidence * (1 - asked_.confidence) / n);
    seen[static_cast<std::size_t>(&way - ways.data())] = {
        done_times(runs.makespans, std::max(0.0, asked_.confidence - slack)).confident,
        summarise(std::span(runs.costs).first(first_)).mean,
        done_times({runs.makespans.begin(), runs.makespans.begin() + static_cast<std::ptrdiff_t>(first_)},
                   asked_.confidence)
            .confident};
  }

  const ListeningQuestion& asked_;
  std::uint64_t first_;
  Mix mix_;
  heuristics::WorksharingProblem problem_;
  heuristics::PlanCache plans_;
  SampledTimes times_;
};

/// Runs all ways of all mixes briefly, and those that may be on the frontier in full.
class PriceSearch {
 public:
  explicit PriceSearch(const PriceQuestion& asked) : asked_(asked) {
    const std::vector<std::pair<std::size_t, std::size_t>> numbers = priced_mixes(asked.most);
    mixes_.resize(numbers.size());
    parallel_for(numbers.size(), thread_count(0), [&](std::size_t i) {
      const auto [spot, on_demand] = numbers[i];
      if (spot == 0) return;
      asked_.tell(fmt::format("{} spot, {} on demand", spot, on_demand));
      mixes_[i] = std::make_unique<PreparedMix>(asked_, spot, on_demand);
      for (PricedMix& way : mixes_[i]->ways) mixes_[i]->run(way, first_look(asked_, spot + on_demand), false);
    });
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!mixes_[i]) alone_.push_back(on_demand_alone(asked, numbers[i].second));
  }

  std::vector<PricedMix> all() const {
    std::vector<PricedMix> list = alone_;
    for (const auto& mix : mixes_)
      if (mix) list.insert(list.end(), mix->ways.begin(), mix->ways.end());
    std::stable_sort(list.begin(), list.end(), [](const PricedMix& a, const PricedMix& b) { return a.cost < b.cost; });
    mark_frontier(list);
    return list;
  }

  void look_closer() {
    double margin = asked_.far_behind;
    while (run_in_full([&](const PreparedMix& mix, std::size_t way) { return may_be_on_frontier(mix, way, margin); }))
      margin = std::max(margin, 2 * greatest_gain_);
    // Results that rest on few runs may have been lucky.
    while (run_in_full([frontier = frontier_of(all())](const PreparedMix& mix, std::size_t way) {
      const PricedMix& one = mix.ways[way];
      return frontier.contains({one.spot, one.on_demand, one.strategy});
    })) {
    }
  }

 private:
  using Name = std::tuple<std::size_t, std::size_t, std::string>;

  static std::set<Name> frontier_of(const std::vector<PricedMix>& mixes) {
    std::set<Name> names;
    for (const PricedMix& one : mixes)
      if (one.on_frontier) names.insert({one.spot, one.on_demand, one.strategy});
    return names;
  }

  bool in_full(const PricedMix& way) const {
    return way.instances == asked_.listening.instances && way.planned == way.listens;
  }

  bool may_be_on_frontier(const PreparedMix& mix, std::size_t way, double margin) const {
    const double cost = mix.ways[way].cost / (1 + margin), time = mix.seen[way].hoped_for / (1 + margin);
    const auto ahead = [&](const PricedMix& other) { return other.cost < cost && other.done_by < time; };
    if (std::any_of(alone_.begin(), alone_.end(), ahead)) return false;
    return std::isfinite(time) && std::none_of(mixes_.begin(), mixes_.end(), [&](const auto& other) {
             return other && std::any_of(other->ways.begin(), other->ways.end(), ahead);
           });
  }

  /// Runs those that are wanted and not yet in full; returns whether there were any.
  bool run_in_full(const std::function<bool(const PreparedMix& mix, std::size_t way)>& wanted) {
    std::vector<std::pair<PreparedMix*, PricedMix*>> found;
    for (const auto& mix : mixes_)
      for (std::size_t w = 0; mix && w < mix->ways.size(); ++w)
        if (!in_full(mix->ways[w]) && wanted(*mix, w)) found.emplace_back(mix.get(), &mix->ways[w]);
    std::vector<double> gains(found.size());
    parallel_for(found.size(), thread_count(0), [&](std::size_t i) {
      auto& [mix, way] = found[i];
      asked_.tell(fmt::format("{} spot, {} on demand: {}", way->spot, way->on_demand, way->strategy));
      PreparedMix::Seen& seen = mix->seen[static_cast<std::size_t>(way - mix->ways.data())];
      const PreparedMix::Seen before = seen;
      mix->run(*way, asked_.listening.instances, true);
      if (!way->listens) return;
      gains[i] = before.first_cost / seen.first_cost - 1;
      if (std::isfinite(before.first_done_by))
        gains[i] = std::max(gains[i], before.first_done_by / seen.first_done_by - 1);
    });
    for (const double gain : gains) greatest_gain_ = std::max(greatest_gain_, gain);
    return !found.empty();
  }

  const PriceQuestion& asked_;
  std::vector<PricedMix> alone_;                     // on demand
  std::vector<std::unique_ptr<PreparedMix>> mixes_;  // null: on demand alone
  double greatest_gain_ = 0;
};

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
  PriceSearch search(question);
  search.look_closer();
  return {question.prices, search.all(), question.listening.instances};
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
