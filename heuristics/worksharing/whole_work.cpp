#include "heuristics/worksharing/whole_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {

Chunking whole_work_chunking(const WorksharingProblem& problem, const Granularity& granularity,
                             const WholeWorkObjective& objective, std::size_t& considered) {
  const double work = problem.work;
  switch (granularity.kind) {
    case Granularity::Kind::kPerUnit:
      return Chunking::per_unit(work, granularity.count);
    case Granularity::Kind::kPerSlice:
      return Chunking::equal(work, granularity.count);
    case Granularity::Kind::kAutoPaper: {
      const std::size_t limit = granularity_limit(work * problem.local_load(), problem.startup_cost);
      const GranularityChoice choice = binary_search_granularity(limit, objective.expected);
      considered = choice.evaluated;
      return Chunking::equal(work, choice.chunks);
    }
    case Granularity::Kind::kAuto:
      break;
  }
  granularity_limit(problem.local_load(), problem.startup_cost);  // refuses what cannot be searched
  const double loads = work / std::min(work, problem.local_load());
  if (loads > Chunking::kMostChunks)
    throw InputError(fmt::format(
        "the work is more than {} times what one worker can do before {}, so it needs more "
        "chunks than that; share less work",
        to_text(Chunking::kMostChunks), problem.lambda < 1 ? "its risk reaches lambda" : "it is interrupted"));
  // What can be held in memory: each list has as many chunks as a load, or its share of all, rounded up.
  constexpr double kMostTasks = 1e8;
  const auto lists = static_cast<double>(objective.lists);
  const double tasks = (kMostTasks - lists) * std::min(1.0, loads / lists);
  const auto limit = static_cast<std::size_t>(std::clamp(tasks, 1.0, Chunking::kMostChunks));
  const GranularityChoice choice =
      best_granularity(limit, {.expected = [&](std::size_t n, double) { return objective.expected(n); },
                               .steps = objective.steps,
                               .first = first_count_of_use(*problem.risk, work, problem.startup_cost, limit),
                               .whole = work,
                               .in_progress = static_cast<double>(objective.lists) * work,
                               .patience = objective.patience,
                               .stride = objective.stride,
                               .shape = shape_under(*problem.risk),
                               .ripples = objective.ripples,
                               .scale = loads,
                               .rough = true});
  considered = choice.evaluated;
  return Chunking::equal(work, choice.chunks);
}

Plan whole_work_plan(const WorksharingProblem& problem, const Chunking& chunking, TaskLists lists,
                     std::size_t considered, std::vector<std::uint32_t> list_of) {
  std::vector<double> boundaries(chunking.count() + 1);
  for (std::size_t i = 0; i < boundaries.size(); ++i) boundaries[i] = chunking.boundary(i);
  Plan plan;
  plan.schedule = std::make_shared<const Schedule>(std::move(boundaries), std::move(lists), std::move(list_of));
  plan.chunks = chunking.count();
  plan.chunk_size = chunking.size();
  plan.expected_work = expected_work(*plan.schedule, problem.risks());
  plan.counts_considered = considered;
  return plan;
}

}  // namespace coterie::heuristics
