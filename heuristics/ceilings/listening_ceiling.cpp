#include "heuristics/ceilings/listening_ceiling.hpp"

#include <algorithm>
#include <cmath>

#include "heuristics/ceilings/static_ceiling.hpp"

namespace coterie::heuristics {

double listening_ceiling(const WorksharingProblem& problem, SliceCache* memory) {
  SliceCache own;
  const double sum = sum_of_workers(problem, memory == nullptr ? own : *memory);
  return std::isnan(sum) ? sum : std::min(problem.work, sum);
}

}  // namespace coterie::heuristics
