#pragma once

#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// An upper bound on the expected work of every static schedule of problem.work on the workers problem.risks(),
/// whatever its chunks (of any sizes, overlapping in any way), orders and waiting, even if it is drawn at random. In
/// units of work, at most problem.work. For any risk; the lives of workers must be independent. `lambda` and `coteries`
/// do not matter. NaN (not known) for more than 1000 different risks (objects). Throws InputError for a problem outside
/// its domain. Not in worksharing-2013.
///
/// Work that ends at times f_j on workers j is done with probability 1 - exp(-L), L = sum of l_j, l_j = -ln Pr_j(f_j).
/// For every s >= 0 that is at most a + sum of phi_s(l_j) (see worker_ceiling.hpp):
///   - if all l_j <= s, it is the tangent of the concave 1 - exp(-L) at s;
///   - a copy with l >= s alone has a + phi_s(l) = 1 - e^-l, and each further copy, of any l', adds no more than
///     e^-s (1 - e^-l'), which is at most phi_s(l').
/// Summed over all work W and put together by worker,
///   E <= a W + sum over workers of the greatest sum of w_k phi_s(f_k) that a list of at most W can have.
/// That is least for some s; with s = 0 each worker counts as if it were alone.
/// In zones (core/zones.hpp) no schedule expects more than on independent workers, so the bound also holds there.
/// `memory`: a cache, since campaigns ask for many workloads and numbers of workers; it does not affect the answer.
double static_ceiling(const WorksharingProblem& problem, SliceCache* memory = nullptr);

/// The same, with the tangent (of WorkerCeiling) that gives it.
struct StaticCeiling {
  double value = 0;
  std::size_t tangent = 0;
};
StaticCeiling least_static_ceiling(const WorksharingProblem& problem, SliceCache& memory);

/// An upper bound on the sum of the greatest expected work of each worker if it were alone with all of the work (s =
/// 0); may exceed the work. NaN as above.
double sum_of_workers(const WorksharingProblem& problem, SliceCache& memory);

}  // namespace coterie::heuristics
