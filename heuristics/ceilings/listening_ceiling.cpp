#include "heuristics/ceilings/listening_ceiling.hpp"

#include <algorithm>
#include <cmath>

#include "heuristics/ceilings/static_ceiling.hpp"

namespace coterie::heuristics {
namespace {

/// Whether the workers that are interrupted together have the same risk.
bool alike_within(const Zones& zones, const WorksharingProblem& problem) {
  const auto risks = problem.risks();
  if (risks.size() == 1 || !zones.bind(problem.workers)) return true;
  for (std::size_t w = 1; w < risks.size(); ++w)
    if (risks[w] != risks[w - 1] && zones.of(w, problem.workers) == zones.of(w - 1, problem.workers)) return false;
  return true;
}

}  // namespace

double listening_ceiling(const WorksharingProblem& problem, SliceCache* memory, const Zones& zones) {
  problem.validate();
  if (!alike_within(zones, problem)) return std::nan("");
  SliceCache own;
  const double sum = sum_of_workers(problem, memory == nullptr ? own : *memory);
  return std::isnan(sum) ? sum : std::min(problem.work, sum);
}

}  // namespace coterie::heuristics
