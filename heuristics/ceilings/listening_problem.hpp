#pragma once

#include <cstddef>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// Workers that are told of every chunk that is completed, and of every worker that is interrupted, on a grid: sizes of
/// chunks are whole numbers of `step`, as the workload and the start-up cost are.
struct ListeningProblem {
  std::vector<RiskPtr> risks;  ///< one a worker, at least one; lives are independent
  double work = 1;             ///< W > 0
  double startup_cost = 0;     ///< eps >= 0, in units of work, paid before each chunk
  double step = 0.01;          ///< > 0, in units of work

  /// W and eps in steps.
  std::size_t work_steps() const;
  std::size_t startup_steps() const;
  /// survival[k] = P(T >= k step) of a worker, up to the last end of a chunk that counts: nobody runs more than W in
  /// chunks of one step each, and who lives longer than all but 1e-12 is stopped there.
  std::vector<double> survival(std::size_t worker) const;
  /// Throws InputError for a value outside its domain, and for one that is no multiple of the step.
  void validate() const;
};

}  // namespace coterie::heuristics
