#include "heuristics/worksharing/partition.hpp"

#include <algorithm>
#include <cmath>

namespace coterie::heuristics {
namespace {

/// ceil, but 3.0000000000000004 is 3: the quotient of two rounded numbers.
double ceil_of_quotient(double quotient) { return std::ceil(quotient * (1 - 1e-12)); }

}  // namespace

Partition partition(const WorksharingProblem& problem) {
  const auto p = static_cast<double>(problem.workers);
  const double max_slice = problem.max_slice();
  Partition result;
  result.deployed_work = std::min(problem.work, p * max_slice);
  std::size_t q = problem.coteries;
  if (q == 0) {
    const double wanted = std::isfinite(max_slice) ? ceil_of_quotient(result.deployed_work / max_slice)
                                                   : static_cast<double>(problem.unbounded_coteries);
    q = static_cast<std::size_t>(std::clamp(wanted, 1.0, p));
  }
  result.slices.reserve(q);
  const std::size_t larger = problem.workers % q;
  std::size_t first = 0;
  for (std::size_t slice = 0; slice < q; ++slice) {
    const std::size_t workers = problem.workers / q + (slice < larger ? 1 : 0);
    const double begin = share_of(result.deployed_work, first, problem.workers);
    result.slices.push_back({first, workers, begin, share_of(result.deployed_work, workers, problem.workers)});
    first += workers;
  }
  return result;
}

}  // namespace coterie::heuristics
