#pragma once

#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// What no static schedule of problem.work on the workers problem.risks() can exceed in expected work: whatever its
/// chunks (of any sizes, overlapping in any way), orders and waiting, also where it is drawn at random. In units of
/// work, at most problem.work. For any risk; the lives of workers must be independent. `lambda` and `coteries` do not
/// matter. NaN, not known, for workers of more than 1000 different risks (objects). Throws InputError for a problem
/// outside its domain. Not in worksharing-2013.
///
/// Work that ends at times f_j on workers j is done with probability 1 - exp(-L), L = sum of l_j, l_j = -ln Pr_j(f_j).
/// For every s >= 0 that is at most a + sum of phi_s(l_j) (see worker_ceiling.hpp):
///   - where all l_j <= s it is the tangent of the concave 1 - exp(-L) at s;
///   - a copy with l >= s alone has a + phi_s(l) = 1 - e^-l, and each further copy, of any l', adds no more than
///     e^-s (1 - e^-l'), which is at most phi_s(l').
/// Summed over all work W and put together by worker,
///   E <= a W + sum over workers of the greatest sum of w_k phi_s(f_k) that a list of at most W can have.
/// That is least for some s; with s = 0 each worker counts as if it were alone.
/// `memory`: campaigns ask for many workloads and numbers of workers; no answer depends on what is remembered.
double static_ceiling(const WorksharingProblem& problem, SliceCache* memory = nullptr);

/// The same, and the tangent (of WorkerCeiling) that it is found with.
struct StaticCeiling {
  double value = 0;
  std::size_t tangent = 0;
};
StaticCeiling least_static_ceiling(const WorksharingProblem& problem, SliceCache& memory);

}  // namespace coterie::heuristics
