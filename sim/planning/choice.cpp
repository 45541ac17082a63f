#include "sim/planning/choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/contract.hpp"
#include "core/ties.hpp"

namespace coterie::sim {
namespace {

constexpr double kAlikeCost = 1.01;
constexpr double kAlikeEnd = 1.01;
constexpr double kAlikeFinish = 1.02;
constexpr double kAlikeWork = 1.001;

/// Of these options, in order of plainness, the one with the least `first`; of those within the factor `alike` of it,
/// the one with the least `second`; of those within kAlikeEnd of that, the plainest.
template <typename First, typename Second>
std::size_t least(std::span<const std::size_t> options, double alike, const First& first, const Second& second) {
  double best = kInfinity, best_second = kInfinity;
  for (const std::size_t o : options) best = std::min(best, first(o));
  const auto near = [&](std::size_t o) { return first(o) <= best * alike; };
  for (const std::size_t o : options)
    if (near(o)) best_second = std::min(best_second, second(o));
  return *std::find_if(options.begin(), options.end(),
                       [&](std::size_t o) { return near(o) && second(o) <= best_second * kAlikeEnd; });
}

/// The best of these by one of the rules.
std::size_t best_of(std::span<const std::size_t> left, std::span<const Outcomes> options,
                    const ChoiceQuestion& question, ChoiceRule& rule) {
  const auto cost = [&](std::size_t o) { return question.cost(options[o]); };
  const auto those = [&](const auto& fits) {
    std::vector<std::size_t> found;
    std::copy_if(left.begin(), left.end(), std::back_inserter(found), fits);
    return found;
  };
  if (question.has_deadline) {
    const auto meeting = those([&](std::size_t o) { return question.meets(options[o]); });
    if (!meeting.empty()) {
      rule = ChoiceRule::kDeadline;
      return least(meeting, kAlikeCost, cost, [&](std::size_t o) { return options[o].q95; });
    }
    rule = ChoiceRule::kNearest;
    const auto chance = [&](std::size_t o) { return options[o].in_time.share; };
    double most = 0;
    for (const std::size_t o : left) most = std::max(most, chance(o));
    if (most > 0)
      return least(
          left, 1, [&](std::size_t o) { return 1 - chance(o); }, cost);
    return least(
        left, 1, [&](std::size_t o) { return 1 / std::max(options[o].work_done, 1e-300); }, cost);
  }
  const auto finishing = those([&](std::size_t o) { return options[o].all_done >= 0.5; });
  if (!finishing.empty()) {
    rule = ChoiceRule::kFinish;
    const auto latest = [&](double Outcomes::*quantile) {
      return std::any_of(finishing.begin(), finishing.end(),
                         [&](std::size_t o) { return std::isfinite(options[o].*quantile); });
    };
    double Outcomes::*finish = &Outcomes::q50;
    for (double Outcomes::*later : {&Outcomes::q90, &Outcomes::q95})
      if (latest(later)) finish = later;
    return least(
        finishing, kAlikeFinish, [&](std::size_t o) { return options[o].*finish; }, cost);
  }
  rule = ChoiceRule::kWork;
  return least(
      left, kAlikeWork, [&](std::size_t o) { return 1 / std::max(options[o].work_done, 1e-300); },
      [](std::size_t) { return 0.0; });
}

}  // namespace

double time_for_share(std::span<const double> finishes, double share) {
  COTERIE_REQUIRE(!finishes.empty());
  // 0.95 x 20 is a digit more than 19.
  const double runs = std::ceil(share * static_cast<double>(finishes.size()) * (1 - kSameTime));
  return finishes[static_cast<std::size_t>(std::max(1.0, runs)) - 1];
}

Outcomes outcomes_of(std::span<const FleetOutcome> runs, double deadline, double confidence) {
  COTERIE_REQUIRE(!runs.empty());
  Outcomes found;
  found.runs = runs.size();
  std::vector<double> finishes;
  std::size_t in_time = 0, done = 0;
  for (const FleetOutcome& run : runs) {
    finishes.push_back(run.finish);
    if (run.finish <= just_after(deadline)) ++in_time;
    if (std::isfinite(run.finish)) ++done;
    found.work_done += run.work_done;
    found.wasted += run.wasted;
    found.failed_tasks += static_cast<double>(run.failed_tasks);
    found.interruptions += static_cast<double>(run.interruptions);
    for (std::size_t g = 0; g < run.machine_time.size(); ++g) {
      found.machine_time += run.machine_time[g];
      found.rented_time += run.rented_time[g];
      found.cost += run.cost[g];
    }
  }
  const auto count = static_cast<double>(runs.size());
  for (double* sum : {&found.work_done, &found.wasted, &found.failed_tasks, &found.interruptions, &found.machine_time,
                      &found.rented_time, &found.cost})
    *sum /= count;
  std::sort(finishes.begin(), finishes.end());
  found.in_time = estimate_share(std::isfinite(deadline) ? in_time : done, runs.size());
  found.all_done = static_cast<double>(done) / count;
  found.q50 = time_for_share(finishes, 0.5);
  found.q90 = time_for_share(finishes, 0.9);
  found.q95 = time_for_share(finishes, 0.95);
  found.confident = time_for_share(finishes, confidence);
  return found;
}

Choice choose(std::span<const Outcomes> options, const ChoiceQuestion& question) {
  COTERIE_REQUIRE(!options.empty());
  Choice choice;
  std::vector<std::size_t> left(options.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    ChoiceRule rule{};
    const std::size_t best = best_of(left, options, question, rule);
    if (choice.order.empty()) choice.rule = rule;
    choice.order.push_back(best);
    std::erase(left, best);
  }
  return choice;
}

}  // namespace coterie::sim
