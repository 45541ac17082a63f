#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/background_law.hpp"
#include "core/stream.hpp"
#include "heuristics/background/time_varying.hpp"

namespace coterie::heuristics {

/// A processor or link of whose background jobs only the law is known.
struct RandomMachine {
  SharingRule rule;                      ///< W^h or Z^h
  std::optional<std::size_t> process{};  ///< which of RandomTree::processes runs on it; none: no jobs
};

/// A single-level tree under random background jobs. Machines with the same process see the same jobs, as the links
/// that leave one control processor do (time-varying-2019, A3); different processes are independent.
struct RandomTree {
  double tcm = 1;  ///< time to send the whole load over a link of inverse speed 1
  double tcp = 1;  ///< time to compute it at inverse speed 1
  RandomMachine control;
  std::vector<RandomMachine> processors;  ///< of the workers
  std::vector<RandomMachine> links;       ///< one per processor
  std::vector<BackgroundLaw> processes;

  /// The speeds with every machine slowed by its own factor (factors: control, processors, links); empty: all 1.
  ConstantTree constant(const std::vector<double>& factors = {}) const;
};

/// A division of the load made before the background jobs are known.
struct BackgroundPlan {
  TreeSchedule schedule;             ///< the plan's schedule; its finish_time is a prediction
  std::vector<double> finish_times;  ///< of each trial or pass, in order; may be empty
  std::size_t median = 0;            ///< the trial whose schedule it is, from 0
};

/// One sampled background of a tree: a pure function of (key, trial); process p has the stream of worker p. The path is
/// extended on the same streams as needed.
class SampledBackground {
 public:
  /// `horizon`: the initial horizon, a guess of T_f; it changes results only by rounding. 0: a guess from the tree
  /// without background jobs.
  SampledBackground(const RandomTree& tree, const StreamKey& key, std::uint64_t trial, double horizon = 0);

  /// The speeds, true up to `horizon`.
  TimeVaryingTree until(double horizon);
  /// The changes of the numbers of jobs so far, 16 bytes each.
  std::size_t changes() const;
  /// The smallest T_f and its schedule (Algorithms 1 and 2): the horizon grows until T_f lies within.
  TreeSchedule solve();
  /// The schedule of given shares on this background.
  TreeSchedule realise(const std::vector<double>& shares);

 private:
  template <class Solve>
  TreeSchedule within_horizon(Solve solve_tree);

  const RandomTree& tree_;
  std::vector<BackgroundPath<Stream>> paths_;
  double horizon_;
  std::optional<TimeVaryingTree> speeds_;  ///< up to the horizon, kept between calls
};

/// How long given shares take on average over `trials` >= 2 sampled backgrounds.
struct RealisedMean {
  double mean = 0;
  double standard_error = 0;
};
RealisedMean realised_mean(const RandomTree& tree, const std::vector<double>& shares, const StreamKey& key,
                           std::uint64_t trials);

/// As if there were no background jobs.
BackgroundPlan plan_without_background(const RandomTree& tree);

/// [Sohn and Robertazzi 1998] as used in Section 4.3 of [Wu, Cao, Robertazzi 2019]: every machine with a process is
/// slowed by the equilibrium mean number of its jobs plus 1 (equal shares, whatever its rule). Throws InputError unless
/// every rho < 1. This is too pessimistic even in equilibrium: the right factor is 1 / E[1 / (n + 1)]
/// (time-varying-2019, E8).
BackgroundPlan plan_before_correction(const RandomTree& tree);

/// Simulation-based method, Section 3.2.1: the schedule of the trial with the median T_f; the lower median for an even
/// number of trials, ties by trial number (time-varying-2019, A5). Trials >= 1.
BackgroundPlan plan_by_simulation(const RandomTree& tree, const StreamKey& key, std::uint64_t trials);

/// The start of Algorithm 4.
enum class FirstPlan { kWithoutBackground, kBeforeCorrection };

/// Algorithm 4: each pass samples a new background, takes the equivalent constants over the times of the previous pass
/// (Theorems 1 and 2) and solves the constant problem; the plan is the median pass. Its T_f is not the makespan of any
/// sampled background, since the constants belong to the old times. Passes >= 1.
BackgroundPlan plan_iteratively(const RandomTree& tree, const StreamKey& key, std::uint64_t passes,
                                FirstPlan first = FirstPlan::kWithoutBackground);

/// The index of the lower median, ties by index; values whose relative difference is below about 1e-12 are ties.
/// `values` must not be empty.
std::size_t lower_median(const std::vector<double>& values);

}  // namespace coterie::heuristics
