#pragma once

#include <cstddef>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// Workers that hear of every completed chunk and every interrupted worker, on a grid: the sizes of chunks, the
/// workload and the start-up cost are multiples of `step`.
struct ListeningProblem {
  std::vector<RiskPtr> risks;  ///< one per worker, at least one; lives are independent
  double work = 1;             ///< W > 0
  double startup_cost = 0;     ///< eps >= 0, in units of work, paid before each chunk
  double step = 0.01;          ///< > 0, in units of work

  /// W and eps in steps.
  std::size_t work_steps() const;
  std::size_t startup_steps() const;
  static constexpr std::size_t kMostStates = 200'000'000;

  /// survival[k] = P(T >= k step) of a worker, up to the last chunk end that matters: no worker runs more than W in
  /// chunks of one step each, and times after the first that is survived with probability below 1e-12 are left out.
  /// Throws InputError if times and amounts of work are more than kMostStates.
  std::vector<double> survival(std::size_t worker) const;
  /// Throws InputError for a value outside its domain or one that is not a multiple of the step.
  void validate() const;
};

}  // namespace coterie::heuristics
