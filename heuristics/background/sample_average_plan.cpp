#include "heuristics/background/sample_average_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/errors.hpp"

namespace coterie::heuristics {
namespace {

constexpr int kSteps = 150;
constexpr double kFirstStep = 0.05;  // in shares of the load
constexpr double kLastStep = 1e-5;
constexpr std::size_t kMostPieces = 30'000'000;  // of all speeds together: 1 GB
constexpr std::size_t kPiecesOfProfile = 8;      // what a profile takes besides those

/// Computes sensitivity(), reusing memory from call to call.
struct SensitivityWalk {
  /// Of a link at both ends of its message, or of a processor at both ends of its share.
  struct Speeds {
    double begin;
    double end;
  };
  Sensitivity result;
  std::vector<Speeds> at_ends;

  void follow(const TimeVaryingTree& tree, const std::vector<double>& shares) {
    at_ends.resize(tree.links.size());
    double start = 0;
    double finish = tree.control.time_of(shares[0]);
    std::size_t last = 0;  // to stop
    Speeds at_last{};
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const double share = shares[i + 1];
      const SpeedProfile::Advance sent = tree.links[i].advance(start, share);
      start = sent.time;
      at_ends[i] = {tree.links[i].piece_speed(sent.first), tree.links[i].piece_speed(sent.last)};
      if (!(share > 0)) continue;
      const SpeedProfile::Advance processed = tree.processors[i].advance(start, share);
      if (processed.time < finish) continue;
      finish = processed.time;
      last = i + 1;
      at_last = {tree.processors[i].piece_speed(processed.first), tree.processors[i].piece_speed(processed.last)};
    }
    result.finish_time = finish;
    result.slopes.assign(shares.size(), 0.0);
    if (last == 0) {
      result.slopes[0] = 1 / tree.control.speed(finish);
      return;
    }
    double later = at_last.begin / at_last.end;  // dT_f / dT_j
    result.slopes[last] = 1 / at_last.end;
    for (std::size_t j = last; j > 0; --j) {
      later /= at_ends[j - 1].end;
      result.slopes[j] += later;
      later *= at_ends[j - 1].begin;
    }
  }
};

/// The sampled backgrounds, each extended as far as any division of the load has needed it.
class Sample {
 public:
  Sample(const RandomTree& tree, const StreamKey& key, std::uint64_t trials) {
    const double horizon = 4 * solve_constant(tree.constant()).finish_time;
    const std::size_t profiles = 1 + tree.processors.size() + tree.links.size();
    if (static_cast<double>(trials) * static_cast<double>(profiles) >
        static_cast<double>(kMostPieces) / kPiecesOfProfile)
      refuse(trials);
    pieces_ = trials * profiles * kPiecesOfProfile;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      SampledBackground background(tree, key, trial);
      TimeVaryingTree speeds = background.until(horizon);
      scenarios_.push_back({std::move(background), std::move(speeds), horizon});
      pieces_ += pieces_of(scenarios_.back());
      if (pieces_ > kMostPieces) refuse(trials);
    }
  }

  /// Mean of sensitivity().
  Sensitivity mean(const std::vector<double>& shares) {
    Sensitivity sum{0, std::vector<double>(shares.size(), 0.0)};
    for (Scenario& scenario : scenarios_) {
      cancellation_point();
      const Sensitivity& one = at(scenario, shares);
      sum.finish_time += one.finish_time;
      for (std::size_t i = 0; i < shares.size(); ++i) sum.slopes[i] += one.slopes[i];
    }
    const auto count = static_cast<double>(scenarios_.size());
    sum.finish_time /= count;
    for (double& slope : sum.slopes) slope /= count;
    return sum;
  }

  BackgroundPlan plan(const std::vector<double>& shares) {
    BackgroundPlan plan;
    plan.schedule.shares = shares;
    plan.schedule.start_times.assign(shares.size(), 0.0);
    const auto count = static_cast<double>(scenarios_.size());
    for (const Scenario& scenario : scenarios_) {
      cancellation_point();
      const TreeSchedule one = realise(scenario.speeds, shares);
      plan.finish_times.push_back(one.finish_time);
      plan.schedule.finish_time += one.finish_time / count;
      for (std::size_t i = 0; i < shares.size(); ++i) plan.schedule.start_times[i] += one.start_times[i] / count;
    }
    plan.median = lower_median(plan.finish_times);
    plan.schedule.residual = std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1);
    return plan;
  }

 private:
  [[noreturn]] static void refuse(std::uint64_t trials) {
    throw InputError(
        fmt::format("sample-average keeps the backgrounds of all trials in memory, and {} such trials are too many; "
                    "give fewer \"trials\"",
                    trials));
  }

  struct Scenario {
    SampledBackground background;
    TimeVaryingTree speeds;
    double horizon;
  };

  /// Of the speeds; the changes that they come from take half as much each.
  static std::size_t pieces_of(const Scenario& scenario) {
    std::size_t pieces = scenario.speeds.control.pieces() + scenario.background.changes() / 2;
    for (const auto* list : {&scenario.speeds.processors, &scenario.speeds.links})
      for (const SpeedProfile& profile : *list) pieces += profile.pieces();
    return pieces;
  }

  const Sensitivity& at(Scenario& scenario, const std::vector<double>& shares) {
    for (;;) {
      walk_.follow(scenario.speeds, shares);
      if (walk_.result.finish_time <= scenario.horizon) return walk_.result;
      scenario.horizon *= 2;
      pieces_ -= pieces_of(scenario);
      scenario.speeds = scenario.background.until(scenario.horizon);
      pieces_ += pieces_of(scenario);
      if (pieces_ > kMostPieces) refuse(scenarios_.size());
    }
  }

  std::vector<Scenario> scenarios_;
  std::size_t pieces_ = 0;
  SensitivityWalk walk_;
};

/// The nearest point of the simplex { shares >= 0, sum 1 }: all coordinates fall by one amount, those below 0 become 0.
void project(std::vector<double>& shares) {
  std::vector<double> sorted = shares;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double fall = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) fall = candidate;
  }
  for (double& share : shares) share = std::max(0.0, share - fall);
}

/// One step of length `step` against the slopes, within the simplex. False if the slopes are all equal.
bool descend(std::vector<double>& shares, const std::vector<double>& slopes, double step) {
  const double mean = std::accumulate(slopes.begin(), slopes.end(), 0.0) / static_cast<double>(slopes.size());
  double length = 0;
  for (const double slope : slopes) length += (slope - mean) * (slope - mean);
  length = std::sqrt(length);
  if (!(length > 0)) return false;
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] -= step * (slopes[i] - mean) / length;
  project(shares);
  return true;
}

std::vector<std::vector<double>> first_guesses(const RandomTree& tree, const StreamKey& key, std::uint64_t trials) {
  std::vector<std::vector<double>> guesses{plan_without_background(tree).schedule.shares,
                                           plan_by_simulation(tree, key, trials).schedule.shares,
                                           plan_iteratively(tree, key, trials).schedule.shares};
  const auto settles = [](const BackgroundLaw& law) { return law.load() < 1; };
  if (std::all_of(tree.processes.begin(), tree.processes.end(), settles))
    guesses.push_back(plan_before_correction(tree).schedule.shares);
  return guesses;
}

}  // namespace

Sensitivity sensitivity(const TimeVaryingTree& tree, const std::vector<double>& shares) {
  SensitivityWalk walk;
  walk.follow(tree, shares);
  return walk.result;
}

BackgroundPlan plan_by_sample_average(const RandomTree& tree, const StreamKey& key, std::uint64_t trials) {
  Sample sample(tree, key, trials);
  std::vector<double> best;
  Sensitivity least;
  for (const std::vector<double>& guess : first_guesses(tree, key, trials)) {
    const Sensitivity here = sample.mean(guess);
    if (!best.empty() && here.finish_time >= least.finish_time) continue;
    best = guess;
    least = here;
  }
  std::vector<double> shares = best;
  Sensitivity here = least;
  for (int step = 0; step < kSteps; ++step) {
    const double length = kFirstStep * std::pow(kLastStep / kFirstStep, static_cast<double>(step) / (kSteps - 1));
    if (!descend(shares, here.slopes, length)) break;
    here = sample.mean(shares);
    if (here.finish_time >= least.finish_time) continue;
    best = shares;
    least = here;
  }
  return sample.plan(best);
}

}  // namespace coterie::heuristics
