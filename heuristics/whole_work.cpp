#include "heuristics/whole_work.hpp"

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
  const double load = std::min(work, problem.local_load());
  const double loads = work / load;
  const auto total = [&](std::size_t n) {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(static_cast<double>(n) * loads - 1e-9)));
  };
  if (loads > Chunking::kMostChunks)
    throw InputError(fmt::format("work {} in chunks of at most {}, what one worker can do, makes more than {} chunks",
                                 to_text(work), to_text(load), to_text(Chunking::kMostChunks)));
  const double most = Chunking::kMostChunks / loads;  // can be held in memory
  const std::size_t limit = std::min(granularity_limit(problem.local_load(), problem.startup_cost),
                                     static_cast<std::size_t>(std::max(1.0, most)));
  const GranularityChoice choice =
      best_granularity(limit, {.expected = [&](std::size_t n, double) { return objective.expected(total(n)); },
                               .steps = [&](std::size_t n) { return objective.steps(total(n)); },
                               .whole = work,
                               .in_progress = static_cast<double>(objective.lists) * load,
                               .patience = objective.patience,
                               .shape = shape_under(*problem.risk),
                               .ripples = objective.ripples});
  considered = choice.evaluated;
  return Chunking::equal(work, total(choice.chunks));
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
