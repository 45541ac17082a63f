#pragma once

#include <memory>

#include "heuristics/ceilings/worker_ceiling.hpp"
#include "heuristics/chunks/bounded_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// What is known of a worker of some risk and start-up cost: campaigns ask for many workloads and numbers of workers.
/// Threads may share it; no answer depends on what is remembered.
class CeilingCache {
 public:
  std::shared_ptr<const WorkerCeiling> get(const RiskPtr& risk, double startup_cost);

 private:
  BoundedCache<std::pair<RiskPtr, double>, std::shared_ptr<const WorkerCeiling>> known_{
      1'000'000};  // points, some 30 MB
};

/// What no static schedule of problem.work on the workers problem.risks() can exceed in expected work: whatever its
/// chunks (of any sizes, overlapping in any way), orders and waiting, also where it is drawn at random. In units of
/// work, at most problem.work. For any risk; the lives of workers must be independent. `lambda` and `coteries` do not
/// matter. Throws InputError for a problem outside its domain. Not in worksharing-2013.
///
/// Work that ends at times f_j on workers j is done with probability 1 - exp(-L), L = sum of l_j, l_j = -ln Pr_j(f_j).
/// For every s >= 0 that is at most a + sum of phi_s(l_j) (see worker_ceiling.hpp):
///   - where all l_j <= s it is the tangent of the concave 1 - exp(-L) at s;
///   - a copy with l >= s alone has a + phi_s(l) = 1 - e^-l, and each further copy, of any l', adds no more than
///     e^-s (1 - e^-l'), which is at most phi_s(l').
/// Summed over all work W and put together by worker,
///   E <= a W + sum over workers of the greatest sum of w_k phi_s(f_k) that a list of at most W can have.
/// That is least for some s; with s = 0 each worker counts as if it were alone.
double static_ceiling(const WorksharingProblem& problem, CeilingCache* memory = nullptr);

}  // namespace coterie::heuristics
