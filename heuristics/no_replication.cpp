#include "heuristics/no_replication.hpp"

#include <algorithm>
#include <cmath>

#include "heuristics/whole_work.hpp"

namespace coterie::heuristics {
namespace {

/// Sum of 1 - Pr over the first `steps` steps of a worker. Under linear risk, where S of them end before X:
/// S - kappa d S (S + 1) / 2.
double steps_survived(const WorksharingProblem& problem, std::size_t chunks, std::size_t steps) {
  if (const auto kappa = problem.risk->linear_rate()) {
    const double risk_of_step = *kappa * finish_of_step(problem, chunks, 1);
    const double at_risk = std::min(static_cast<double>(steps), std::floor(1 / risk_of_step));
    return at_risk - risk_of_step * at_risk * (at_risk + 1) / 2;
  }
  const double horizon = problem.risk->horizon();
  double sum = 0;
  for (std::size_t s = 1; s <= steps; ++s) {
    const double finish = finish_of_step(problem, chunks, s);
    if (finish > horizon) break;
    sum += 1 - problem.risk->probability(finish);
  }
  return sum;
}

/// E = omega x sum over steps s of (workers with at least s chunks) (1 - Pr(s (omega + eps))).
double expected_without_replication(const WorksharingProblem& problem, std::size_t chunks) {
  const std::size_t rows = chunks / problem.workers;
  const std::size_t rest = chunks % problem.workers;  // workers with one chunk more
  double sum = static_cast<double>(problem.workers) * steps_survived(problem, chunks, rows);
  if (rest > 0)
    sum += static_cast<double>(rest) * (1 - problem.risk->probability(finish_of_step(problem, chunks, rows + 1)));
  return problem.work / static_cast<double>(chunks) * sum;
}

}  // namespace

Plan no_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  const Chunking chunking = whole_work_chunking(
      problem, granularity, AutoCounts::kPerWorker,
      {[&](std::size_t chunks) { return expected_without_replication(problem, chunks); },
       [&](std::size_t chunks) { return (chunks / problem.workers + 1) * look_up_cost(*problem.risk); },
       problem.workers},
      considered);
  std::vector<std::shared_ptr<const TaskList>> lists;
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    std::vector<std::size_t> chunks;
    for (std::size_t chunk = worker; chunk < chunking.count(); chunk += problem.workers) chunks.push_back(chunk);
    lists.push_back(std::make_shared<TaskList>(
        chunking.tasks(chunks, problem.startup_cost, 0, lists.empty() ? nullptr : lists.front().get())));
  }
  return whole_work_plan(problem, chunking, std::move(lists), considered);
}

}  // namespace coterie::heuristics
