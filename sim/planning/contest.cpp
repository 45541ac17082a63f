#include "sim/planning/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/text.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/short_chunks.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kFresh = 0x1000000;  // the first run that no search looks at

/// A search tries many numbers of machines, and needs little planning for each.
constexpr double kSearchEffort = 0.1;

std::size_t all_machines(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), std::size_t{0}); }

bool listens(const std::string& policy) {
  const auto& known = heuristics::listening_strategies();
  return std::any_of(known.begin(), known.end(), [&](const auto& one) { return one.name == policy; });
}

/// The strategy that a policy names: itself, or the argument of skip(...).
std::string strategy_in(const std::string& policy) {
  return policy.starts_with("skip(") && policy.ends_with(")") ? policy.substr(5, policy.size() - 6) : policy;
}

/// Throws InputError for a policy that there is not.
void check_policy(const Situation& situation, const std::string& policy, const Catalogue& catalogue) {
  const Place place = situation.question.place("policy");
  if (policy == "adaptive")
    throw InputError(place, "adaptive chooses among policies by itself, as plan does; name the ones to compare");
  if (!listens(policy) && !ScheduleLibrary::is_file(strategy_in(policy)))
    catalogue.strategy(strategy_in(policy), place);
  if (situation.is_deaf() && (strategy_in(policy) != policy || listens(policy)))
    throw InputError(place, fmt::format("{} listens, but nothing is heard", policy == "central" ? "queue" : policy));
}

/// The static strategies and the policies that listen, the plainest first.
std::vector<std::string> applicable(const Situation& situation, const Catalogue& catalogue) {
  for (const std::string& policy : situation.question.policies) check_policy(situation, policy, catalogue);
  std::vector<std::string> asked;
  for (const std::string& policy : situation.question.policies)
    asked.push_back(ScheduleLibrary::canonical(policy, situation.question.place("policy")));
  if (!asked.empty()) return asked;
  if (situation.question.form == PlanForm::kQueue && situation.is_deaf())
    throw InputError(
        "--export: a folder is for a queue, which cannot be planned here; for fixed lists name a file that ends in "
        ".csv, "
        ".json, .sbatch or .sub");
  if (situation.question.form == PlanForm::kQueue) return {"central"};
  std::vector<std::string> names = considered_strategies();
  if (!situation.is_deaf()) names.insert(names.end(), {"skip(best)", "help", "central"});
  return names;
}

}  // namespace

Contest::Contest(const Situation& situation, const Catalogue& catalogue, Tell tell)
    : situation_(situation),
      catalogue_(catalogue),
      tell_(std::move(tell)),
      policies_(applicable(situation, catalogue)) {
  question_.has_deadline = std::isfinite(situation.deadline);
  question_.confidence = situation.question.confidence;
  question_.has_prices = std::any_of(situation.question.machines.begin(), situation.question.machines.end(),
                                     [](const MachineGroup& group) { return group.price > 0; });
  search_ = policies_.size() - 1;
  schedules_ = std::make_shared<ScheduleLibrary>("", situation.work);
}

std::size_t Contest::full_runs(const Counts& counts) const {
  constexpr std::size_t kMostLives = 100'000, kLeast = 400, kMost = 10'000;
  if (situation_.question.runs) return static_cast<std::size_t>(*situation_.question.runs);
  return std::clamp(kMostLives / std::max<std::size_t>(1, all_machines(counts)), kLeast, kMost);
}

Contender Contest::contender(const std::string& policy, const Counts& counts, double effort) {
  Contender one{policy, counts, 0, nullptr, nullptr, {}, {}};
  one.rank = static_cast<std::size_t>(std::find(policies_.begin(), policies_.end(), policy) - policies_.begin());
  one.fleet = std::make_shared<const Fleet>(fleet_of(situation_, counts));
  FleetPolicies& policies = policies_for({counts, effort, listens(policy)});
  FleetPolicy made = policies.make(policy);
  if (policy == "help") made.plan = made.shares;  // with which it begins
  const bool is_asked_for = situation_.question.chunks > 0 || ScheduleLibrary::is_file(strategy_in(policy));
  if (made.plan && made.plan->schedule && situation_.task == 0 && !is_asked_for && policy != "help") {
    made.plan = without_short_chunks(*made.plan, situation_.checkpoint);
    made.maker = heuristics::skipping(*made.plan);
  }
  one.policy = std::make_shared<const FleetPolicy>(std::move(made));
  return one;
}

FleetPolicies& Contest::policies_for(const PlannedFor& planned) {
  if (const auto known = made_.find(planned); known != made_.end()) return known->second;
  heuristics::Granularity granularity;
  if (situation_.question.chunks > 0)
    granularity = {heuristics::Granularity::Kind::kPerSlice, situation_.question.chunks};
  // What listens has work for machines that stay after all; lists are none the worse for them.
  const auto tail = planned.listens ? traces::OpenTail::kImmortal : traces::OpenTail::kGone;
  return made_
      .try_emplace(planned, fleet_of(situation_, planned.counts, {.tail = tail, .smooth = true}),
                   situation_.question.seed, catalogue_, planned.effort, schedules_, granularity)
      .first->second;
}

void Contest::look(Contender& one, std::size_t runs) const {
  if (one.looked.size() >= runs) return;
  auto more = run_fleet(*one.fleet, *one.policy, situation_.question.seed, one.looked.size(), runs - one.looked.size());
  one.looked.insert(one.looked.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Outcomes Contest::looked(const Contender& one) const {
  Outcomes found = outcomes_of(one.looked, situation_.deadline, question_.confidence);
  found.in_time.low = found.in_time.share - ChoiceQuestion::kMargin;
  return found;
}

void Contest::prove(Contender& one) const {
  const std::size_t runs = full_runs(one.counts);
  one.proof = outcomes_of(run_fleet(*one.fleet, *one.policy, situation_.question.seed, kFresh, runs),
                          situation_.deadline, question_.confidence);
}

Choice Contest::choose(std::vector<Contender>& contenders, bool proven) const {
  std::stable_sort(contenders.begin(), contenders.end(), [](const Contender& a, const Contender& b) {
    return std::pair(a.rank, all_machines(a.counts)) < std::pair(b.rank, all_machines(b.counts));
  });
  std::vector<Outcomes> outcomes;
  for (const Contender& one : contenders) outcomes.push_back(proven ? one.proof : looked(one));
  return sim::choose(outcomes, question_);
}

std::vector<Contender> compare_policies(Contest& contest, const Counts& counts) {
  constexpr std::size_t kFirstLook = 256, kKept = 5;
  std::vector<Contender> all;
  for (const std::string& name : contest.policies()) {
    contest.tell("planning " + name);
    all.push_back(contest.contender(name, counts));
    contest.look(all.back(), std::min(kFirstLook, contest.full_runs(counts)));
  }
  const Choice first = contest.choose(all, false);
  std::vector<Contender> kept;
  for (std::size_t i = 0; i < std::min(kKept, all.size()); ++i) kept.push_back(std::move(all[first.order[i]]));
  for (Contender& one : kept) {
    contest.tell("simulating " + one.name);
    contest.prove(one);
  }
  const Choice last = contest.choose(kept, true);
  std::vector<Contender> ordered;
  for (const std::size_t o : last.order) ordered.push_back(std::move(kept[o]));
  return ordered;
}

namespace {

/// The numbers of machines that are asked about, group by group.
class CountRanges {
 public:
  explicit CountRanges(const Situation& situation) : situation_(situation) {
    for (const MachineGroup& group : situation.question.machines) {
      auto [least, most, automatic] = group.count;
      if (automatic) {
        const double needed = std::ceil(1 / std::max(1e-12, reach(group)) - 1e-9);
        if (!(needed <= static_cast<double>(kMostMachines)))
          throw InputError(
              situation.question.place("deadline"),
              fmt::format("{} {}: no number of machines up to {} can finish all work by then, even if "
                          "none leaves",
                          situation.question.called("deadline"), situation.question.deadline, kMostMachines));
        constexpr std::size_t kSeveral = 64, kTimes = 8;
        most = std::min(std::min(kMostMachines, situation.recorded_machines),
                        std::max(kSeveral, kTimes * static_cast<std::size_t>(needed)));
        least = std::min(least, most);
      }
      least_.push_back(least);
      most_.push_back(most);
    }
  }

  /// Whether they could do all of the work by the deadline if none left.
  bool may_reach(const Counts& counts) const {
    double work = 0;
    for (std::size_t g = 0; g < counts.size(); ++g)
      work += static_cast<double>(counts[g]) * reach(situation_.question.machines[g]);
    return work >= 1 - 1e-9;
  }

  std::size_t groups() const { return least_.size(); }
  std::size_t within(std::size_t g, double count) const {
    return static_cast<std::size_t>(
        std::clamp(std::round(count), static_cast<double>(least_[g]), static_cast<double>(most_[g])));
  }

  /// All combinations of numbers that grow by this factor from the least on, and the greatest ones.
  std::vector<Counts> grid(double factor) const {
    std::vector<Counts> grid = {{}};
    for (std::size_t g = 0; g < groups(); ++g) {
      std::vector<Counts> longer;
      for (const Counts& begun : grid)
        for (const std::size_t count : ladder(g, factor)) {
          longer.push_back(begun);
          longer.back().push_back(count);
        }
      grid = std::move(longer);
    }
    std::erase_if(grid, [&](const Counts& counts) { return !may_reach(counts); });
    if (grid.empty()) grid.push_back(most_);
    return grid;
  }

 private:
  std::vector<std::size_t> ladder(std::size_t g, double factor) const {
    std::vector<std::size_t> ladder;
    for (double count = static_cast<double>(least_[g]); count < static_cast<double>(most_[g]);
         count = std::max(count + 1, count * factor))
      ladder.push_back(within(g, count));
    ladder.push_back(most_[g]);
    return ladder;
  }

  /// What one machine of the group can do by the deadline.
  double reach(const MachineGroup& group) const {
    if (group.fallback) return 0;
    const double time = situation_.deadline - situation_.restart;
    if (situation_.task > 0) {
      const double tasks = std::floor(time / (situation_.task / group.speed + situation_.checkpoint) + 1e-9);
      return std::max(0.0, tasks * situation_.task);
    }
    return std::max(0.0, (time - situation_.checkpoint) * group.speed);
  }

  const Situation& situation_;
  Counts least_, most_;
};

}  // namespace

std::vector<Counts> find_counts(Contest& contest) {
  const Situation& situation = contest.situation();
  if (!contest.question().has_deadline)
    throw InputError(fmt::format("to find a number of machines takes {}: by when should all work be done?",
                                 situation.question.called("deadline")));
  const CountRanges ranges(situation);
  constexpr std::size_t kMostTried = 40, kKept = 3, kRounds = 10, kMostRuns = 1600;
  double factor = 1.25;
  std::vector<Counts> tried = ranges.grid(factor);
  while (tried.size() > kMostTried) tried = ranges.grid(factor *= 1.3);
  std::set<Counts> known;
  std::vector<Contender> best;
  std::size_t runs = 100;
  for (std::size_t round = 0; round < kRounds && !tried.empty(); ++round) {
    std::vector<Contender> all = std::move(best);
    for (const Counts& counts : tried) {
      if (known.contains(counts)) continue;
      contest.tell(fmt::format("with {}", counted(all_machines(counts), "machine")));
      known.insert(counts);
      all.push_back(contest.contender(contest.searching_policy(), counts, kSearchEffort));
    }
    for (Contender& one : all) contest.look(one, std::min(runs, contest.full_runs(one.counts)));
    const Choice choice = contest.choose(all, false);
    best.clear();
    for (std::size_t i = 0; i < std::min(kKept, all.size()); ++i) best.push_back(std::move(all[choice.order[i]]));
    runs = std::min(2 * runs, kMostRuns);
    factor = std::sqrt(factor);
    tried.clear();
    for (const Contender& one : best)
      for (std::size_t g = 0; g < ranges.groups(); ++g)
        for (const double way : {1 / factor, factor}) {
          const auto count = static_cast<double>(one.counts[g]);
          Counts next = one.counts;
          next[g] = ranges.within(g, way < 1 ? std::min(count - 1, count * way) : std::max(count + 1, count * way));
          if (!known.contains(next) && ranges.may_reach(next) &&
              std::find(tried.begin(), tried.end(), next) == tried.end())
            tried.push_back(std::move(next));
        }
  }
  for (Contender& one : best) contest.look(one, std::min(kMostRuns, contest.full_runs(one.counts)));
  const Choice choice = contest.choose(best, false);
  std::vector<Counts> found;
  for (const std::size_t o : choice.order) found.push_back(best[o].counts);
  return found;
}

std::optional<Counts> enough_machines(Contest& contest, const Counts& few) {
  constexpr double kTimes = 64, kStep = 1.25;
  constexpr std::size_t kRuns = 400;
  const auto times = [&](double factor) {
    Counts counts = few;
    for (std::size_t g = 0; g < counts.size(); ++g)
      if (!contest.situation().question.machines[g].fallback)
        counts[g] = static_cast<std::size_t>(std::ceil(factor * static_cast<double>(counts[g])));
    return counts;
  };
  const auto fits = [&](const Counts& counts) {
    return all_machines(counts) <= std::min(kMostMachines, contest.situation().recorded_machines);
  };
  const auto enough = [&](const Counts& counts) {
    contest.tell(fmt::format("with {}", counted(all_machines(counts), "machine")));
    Contender more = contest.contender(contest.searching_policy(), counts, kSearchEffort);
    contest.look(more, std::min(kRuns, contest.full_runs(counts)));
    return contest.looked(more).in_time.share >= contest.question().confidence;
  };
  double factor = kStep, below = 1;
  while (!(fits(times(factor)) && enough(times(factor)))) {
    below = factor;
    factor *= 2;
    if (factor > kTimes || !fits(times(factor))) return std::nullopt;
  }
  while (factor / below > 1.05 && times(factor) != times(below)) {
    const double middle = std::sqrt(below * factor);
    if (times(middle) == times(factor)) break;
    (enough(times(middle)) ? factor : below) = middle;
  }
  return times(factor);
}

}  // namespace coterie::sim
