#include "heuristics/best_plan.hpp"

#include <set>

#include "heuristics/cyclic_replication.hpp"
#include "heuristics/group_schedule.hpp"
#include "heuristics/near_optimal_plans.hpp"
#include "heuristics/no_replication.hpp"
#include "heuristics/partition.hpp"
#include "heuristics/refined_chart.hpp"
#include "heuristics/single_optimal.hpp"

namespace coterie::heuristics {
namespace {

/// The paper's number of slices, its neighbours, half as many again, and one worker a slice.
std::set<std::size_t> slice_counts(const WorksharingProblem& problem) {
  const std::size_t paper = partition(problem).slices.size();
  std::set<std::size_t> counts = {paper, paper + 1, paper + paper / 2, problem.workers};
  if (paper > 1) counts.insert(paper - 1);
  while (*counts.rbegin() > problem.workers) counts.erase(*counts.rbegin());
  return counts;
}

}  // namespace

Plan best_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  Plan best;
  const auto consider = [&](Plan candidate) {
    considered += candidate.counts_considered;
    if (!best.schedule || candidate.expected_work > best.expected_work) best = std::move(candidate);
  };
  const std::size_t paper = partition(problem).slices.size();
  for (const std::size_t slices : slice_counts(problem)) {
    WorksharingProblem sliced = problem;
    sliced.coteries = problem.coteries > 0 ? problem.coteries : slices;
    Plan greedy = group_plan(sliced, granularity, greedy_chart);
    // Refining gains a few per cent of what is lost: only where that can make it the best.
    const double lost = greedy.schedule->deployed_work() - greedy.expected_work;
    if (slices == paper || greedy.expected_work + 0.1 * lost > best.expected_work)
      consider(rechart(sliced, greedy, refined_chart));
    consider(std::move(greedy));
    if (problem.coteries > 0) break;
  }
  consider(no_replication_plan(problem, granularity));
  consider(cyclic_replication_plan(problem, granularity));
  try {
    consider(single_optimal_plan(problem, granularity));
  } catch (const InputError&) {
    // No finite number of unequal chunks is best, or the search would be too large: one candidate fewer.
  }
  best.counts_considered = considered;
  return best;
}

}  // namespace coterie::heuristics
