#include "heuristics/background/background_plans.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/errors.hpp"

namespace coterie::heuristics {
namespace {

/// Finish times that agree to this many bits are ties: many trials see no background and differ by rounding only.
constexpr int kMedianBits = 40;

/// The equivalent constants of a tree over the times of a schedule: Theorems 1 and 2.
ConstantTree equivalent_constants(const TimeVaryingTree& tree, const TreeSchedule& schedule) {
  const std::vector<double>& starts = schedule.start_times;
  ConstantTree result{tree.control.mean_speed(0, schedule.finish_time), {}, {}};
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    result.processors.push_back(tree.processors[i].mean_speed(starts[i + 1], schedule.finish_time));
    result.links.push_back(tree.links[i].mean_speed(starts[i], starts[i + 1]));
  }
  return result;
}

/// Runs the passes of Algorithm 4 and calls visit(pass, schedule) after each until it returns false.
template <class Visit>
void run_passes(const RandomTree& tree, const StreamKey& key, std::uint64_t passes, TreeSchedule schedule,
                Visit visit) {
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    const TimeVaryingTree background = SampledBackground(tree, key, pass).until(schedule.finish_time);
    schedule = solve_constant(equivalent_constants(background, schedule));
    if (!visit(pass, schedule)) return;
  }
}

}  // namespace

ConstantTree RandomTree::constant(const std::vector<double>& factors) const {
  const auto speed = [&](const RandomMachine& machine, double unit, std::size_t index) {
    return 1 / (machine.rule.inverse_speed(1) * unit * (factors.empty() ? 1 : factors[index]));
  };
  ConstantTree result{speed(control, tcp, 0), {}, {}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    result.processors.push_back(speed(processors[i], tcp, 1 + i));
    result.links.push_back(speed(links[i], tcm, 1 + links.size() + i));
  }
  return result;
}

SampledBackground::SampledBackground(const RandomTree& tree, const StreamKey& key, std::uint64_t trial, double horizon)
    : tree_(tree), horizon_(horizon > 0 ? horizon : 2 * solve_constant(tree.constant()).finish_time) {
  paths_.reserve(tree.processes.size());
  for (std::size_t process = 0; process < tree.processes.size(); ++process) {
    cancellation_point();
    paths_.emplace_back(tree.processes[process], Stream(key, trial, static_cast<std::uint32_t>(process)));
  }
}

TimeVaryingTree SampledBackground::until(double horizon) {
  for (auto& path : paths_) {
    cancellation_point();
    path.extend(horizon);
  }
  const JobSequence no_jobs;
  const auto profile = [&](const RandomMachine& machine, double unit) {
    return SpeedProfile(machine.process ? paths_[*machine.process].jobs() : no_jobs, machine.rule, unit);
  };
  TimeVaryingTree result{profile(tree_.control, tree_.tcp), {}, {}};
  result.processors.reserve(tree_.processors.size());
  result.links.reserve(tree_.links.size());
  for (std::size_t i = 0; i < tree_.links.size(); ++i) {
    result.processors.push_back(profile(tree_.processors[i], tree_.tcp));
    result.links.push_back(profile(tree_.links[i], tree_.tcm));
  }
  return result;
}

template <class Solve>
TreeSchedule SampledBackground::within_horizon(Solve solve_tree) {
  if (!speeds_) speeds_ = until(horizon_);
  for (;;) {
    TreeSchedule schedule = solve_tree(*speeds_);
    if (schedule.finish_time <= horizon_) return schedule;
    horizon_ *= 1.5;
    speeds_ = until(horizon_);
  }
}

std::size_t SampledBackground::changes() const {
  return std::accumulate(paths_.begin(), paths_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& path) { return sum + path.jobs().times.size(); });
}

TreeSchedule SampledBackground::solve() { return within_horizon(solve_time_varying); }

TreeSchedule SampledBackground::realise(const std::vector<double>& shares) {
  return within_horizon([&](const TimeVaryingTree& tree) { return heuristics::realise(tree, shares); });
}

RealisedMean realised_mean(const RandomTree& tree, const std::vector<double>& shares, const StreamKey& key,
                           std::uint64_t trials) {
  double mean = 0;
  double squares = 0;  // of the differences from the mean so far
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const double finish = SampledBackground(tree, key, trial).realise(shares).finish_time;
    const double difference = finish - mean;
    mean += difference / static_cast<double>(trial + 1);
    squares += difference * (finish - mean);
  }
  const auto n = static_cast<double>(trials);
  return {mean, std::sqrt(squares / (n - 1) / n)};
}

BackgroundPlan plan_without_background(const RandomTree& tree) { return {solve_constant(tree.constant()), {}, 0}; }

BackgroundPlan plan_before_correction(const RandomTree& tree) {
  std::vector<double> factors;
  const auto add = [&](const RandomMachine& machine) {
    factors.push_back(machine.process ? tree.processes[*machine.process].equilibrium_mean() + 1 : 1);
  };
  add(tree.control);
  for (const RandomMachine& machine : tree.processors) add(machine);
  for (const RandomMachine& machine : tree.links) add(machine);
  return {solve_constant(tree.constant(factors)), {}, 0};
}

BackgroundPlan plan_by_simulation(const RandomTree& tree, const StreamKey& key, std::uint64_t trials) {
  COTERIE_REQUIRE(trials >= 1);
  BackgroundPlan plan;
  double usual = solve_constant(tree.constant()).finish_time;  // T_f of late: how far paths are drawn at first
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const double finish = SampledBackground(tree, key, trial, 1.25 * usual).solve().finish_time;
    usual += (finish - usual) / 16;
    plan.finish_times.push_back(finish);
  }
  plan.median = lower_median(plan.finish_times);
  plan.schedule = SampledBackground(tree, key, plan.median).solve();
  return plan;
}

BackgroundPlan plan_iteratively(const RandomTree& tree, const StreamKey& key, std::uint64_t passes, FirstPlan first) {
  COTERIE_REQUIRE(passes >= 1);
  const BackgroundPlan start =
      first == FirstPlan::kBeforeCorrection ? plan_before_correction(tree) : plan_without_background(tree);
  BackgroundPlan plan;
  run_passes(tree, key, passes, start.schedule, [&](std::uint64_t, const TreeSchedule& schedule) {
    plan.finish_times.push_back(schedule.finish_time);
    return true;
  });
  plan.median = lower_median(plan.finish_times);
  // Repeated rather than kept: the schedules of all passes could fill the memory.
  run_passes(tree, key, passes, start.schedule, [&](std::uint64_t pass, const TreeSchedule& schedule) {
    plan.schedule = schedule;
    return pass != plan.median;
  });
  return plan;
}

std::size_t lower_median(const std::vector<double>& values) {
  COTERIE_REQUIRE(!values.empty());
  std::vector<double> rounded;
  for (const double value : values) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    rounded.push_back(std::ldexp(std::round(std::ldexp(mantissa, kMedianBits)), exponent - kMedianBits));
  }
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) {
    return rounded[a] != rounded[b] ? rounded[a] < rounded[b] : a < b;
  });
  return *middle;
}

}  // namespace coterie::heuristics
