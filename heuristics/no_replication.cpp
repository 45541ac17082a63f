#include "heuristics/no_replication.hpp"

#include "heuristics/whole_work.hpp"

namespace coterie::heuristics {
namespace {

/// E = omega x sum over steps s of (workers with at least s chunks) (1 - Pr(s (omega + eps))).
double expected_without_replication(const WorksharingProblem& problem, std::size_t chunks) {
  const std::size_t p = problem.workers;
  const double horizon = problem.risk->horizon();
  double sum = 0;
  for (std::size_t s = 1; (s - 1) * p < chunks; ++s) {
    const double finish = finish_of_step(problem, chunks, s);
    if (finish > horizon) break;
    sum += static_cast<double>(std::min(p, chunks - (s - 1) * p)) * (1 - problem.risk->probability(finish));
  }
  return problem.work / static_cast<double>(chunks) * sum;
}

/// For multiples of p: W x mean over a worker's steps of 1 - Pr, the steps no longer than with the most chunks.
double bound_without_replication(const WorksharingProblem& problem, std::size_t first, std::size_t last) {
  const double step = finish_of_step(problem, last, 1);
  return problem.work * (1 - lower_mean(first / problem.workers, [&](std::size_t s) {
                           return problem.risk->probability(static_cast<double>(s) * step);
                         }));
}

}  // namespace

Plan no_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  const Chunking chunking =
      whole_work_chunking(problem, granularity, AutoCounts::kPerWorker,
                          {[&](std::size_t chunks) { return expected_without_replication(problem, chunks); },
                           [&](std::size_t a, std::size_t b) { return bound_without_replication(problem, a, b); }},
                          considered);
  std::vector<std::shared_ptr<const TaskList>> lists;
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    std::vector<std::size_t> chunks;
    for (std::size_t chunk = worker; chunk < chunking.count(); chunk += problem.workers) chunks.push_back(chunk);
    lists.push_back(std::make_shared<TaskList>(chunking.tasks(chunks, problem.startup_cost)));
  }
  return whole_work_plan(problem, chunking, std::move(lists), considered);
}

}  // namespace coterie::heuristics
