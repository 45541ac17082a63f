#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "heuristics/restart/market_run.hpp"
#include "heuristics/restart/restart_job.hpp"

namespace coterie::heuristics {

/// What a policy is made for.
struct RestartQuestion {
  MarketJob job;
  RiskPtr life;  ///< of a machine on spot (or a gang); null: not known, where spot is recorded
  RiskPtr down;  ///< how long spot is away; null: `mean_down`, always
  double mean_down = 0;
  double interval = 0;   ///< between checkpoints on spot, for policies that have no rule of their own; 0: Young's
  std::string strategy;  ///< with its arguments

  /// The job as the formulas of a single market see it. Throws InputError if lives are not known.
  RestartJob restart_job() const;
  /// `interval`, or Young's; all of the work where nothing is ever lost.
  double chunk() const;
};

/// A way to use the markets: one row of `coterie list strategies`.
struct RestartStrategy {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Parameter> parameters = {};  ///< named with arguments: tries(losses=2)
  bool uses_on_demand = false;
  bool needs_deadline = false;  ///< a finite one, that on-demand meets
  std::unique_ptr<RestartPolicy> (*prepare)(const RestartQuestion& question);
};

/// The table of coterie's own. [Wu et al. 2024, "Can't Be Late", NSDI] for uniform-progress and time-sliced.
const std::vector<RestartStrategy>& restart_strategies();

}  // namespace coterie::heuristics
