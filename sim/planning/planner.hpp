#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/stream.hpp"
#include "heuristics/worksharing.hpp"
#include "sim/background.hpp"
#include "sim/catalogue.hpp"
#include "sim/statistics.hpp"

namespace coterie::sim {

/// A workload and the machines that are there for it. The whole workload is the unit of work, and the time that one
/// machine needs for it the unit of time: strategies search their chunks best at that scale.
struct PlanQuestion {
  const Catalogue* catalogue = &Catalogue::own();  ///< that the strategies are of
  std::size_t workers = 1;
  double startup_cost = 0;                       ///< of a chunk
  double lambda = 1;                             ///< greatest tolerated probability of interruption of a worker's load
  std::vector<RiskPtr> risks;                    ///< how long the workers stay: one for all, or one each
  RiskPtr planned;                               ///< of a worker of whom no more is known
  std::shared_ptr<const Background> background;  ///< or null
  std::string strategy;                          ///< "": the best of considered_strategies()
  heuristics::Granularity granularity;
  std::uint64_t seed = 1;
  std::uint64_t instances = 10000;  ///< simulated
};

/// One way to do it, and what will come of it.
struct PlanOption {
  std::string strategy;
  heuristics::Plan plan;
  double expected_work = 0;  ///< exact without background jobs, else the mean of the simulation
  Summary simulated;         ///< of the work that gets done
  double completion = 0;     ///< share of the simulated instances in which all work gets done
};

struct PlanAnswer {
  PlanQuestion question;
  heuristics::WorksharingProblem problem;  ///< what the schedules were made for
  std::vector<PlanOption> options;         ///< always no-replication and brute among them
  std::size_t chosen = 0;

  const PlanOption& choice() const { return options[chosen]; }
  const PlanOption& option(const std::string& strategy) const;
};

/// Expected work that differs by less, relative to the plainer strategy's, counts as the same.
inline constexpr double kNegligibleGain = 1e-3;

/// The strategies that a plan is chosen from, the plainest first: a later one must expect 0.1 % more than those before.
const std::vector<std::string>& considered_strategies();

/// Builds the schedules, takes the one that is expected to get most done (the plainest where others are hardly better),
/// and simulates all of them on the same instances. Without background jobs `question.risks` are known to those who
/// plan; with them only the law of the typical worker is. Throws InputError for a question outside its domain, or a
/// strategy whose orders are drawn anew each time.
PlanAnswer answer(const PlanQuestion& question);

/// The risk of being interrupted before a worker has processed t units of work, where background jobs slow it down:
/// from simulated capacities, the same random numbers whatever the risk. `risk` itself without background jobs.
RiskPtr capacity_law(const RiskPtr& risk, const PlanQuestion& question);

/// How many workers run each piece: the least, the average (over the work) and the most.
struct Copies {
  std::size_t least = 0;
  double mean = 0;
  std::size_t most = 0;
};
Copies copies_of(const Schedule& schedule);

}  // namespace coterie::sim
