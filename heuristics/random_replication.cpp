#include "heuristics/random_replication.hpp"

#include <algorithm>
#include <cmath>

#include "heuristics/whole_work.hpp"

namespace coterie::heuristics {
namespace {

std::size_t tasks_per_worker(const WorksharingProblem& problem, const Chunking& chunking) {
  const double load = std::ceil(problem.local_load() / chunking.size() * (1 - 1e-12));
  return static_cast<std::size_t>(std::clamp(load, 1.0, static_cast<double>(chunking.count())));
}

}  // namespace

double expected_by_random_replication(const WorksharingProblem& problem, const Chunking& chunking, std::size_t tasks) {
  const auto count = static_cast<double>(chunking.count());
  const auto done_at = [&](std::size_t step, bool with_last) {
    const double finish = chunking.elapsed(step, with_last) + static_cast<double>(step) * problem.startup_cost;
    return 1 - problem.risk->probability(finish);
  };
  // A full chunk in position s of M stands behind the smaller last one with probability (s - 1) / (M - 1).
  double full = 0;
  double last = 0;
  for (std::size_t s = 1; s <= tasks; ++s) {
    const double behind = chunking.count() > 1 ? static_cast<double>(s - 1) / (count - 1) : 0;
    full += (1 - behind) * done_at(s, false) + (behind > 0 ? behind * done_at(s, true) : 0);
    last += done_at(s, true);
  }
  const auto p = static_cast<double>(problem.workers);
  // Without risk the sum is the number of chunks, give or take a rounding.
  const auto completed = [&](double sum) { return -std::expm1(p * std::log1p(-std::min(1.0, sum / count))); };
  return chunking.elapsed(chunking.count() - 1, false) * completed(full) + chunking.last_size() * completed(last);
}

Plan random_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  Plan plan;
  const Chunking chunking = whole_work_chunking(
      problem, granularity,
      {[&](std::size_t chunks) {
         const Chunking equal = Chunking::equal(problem.work, chunks);
         return expected_by_random_replication(problem, equal, tasks_per_worker(problem, equal));
       },
       [&](std::size_t chunks) {
         return 2 * tasks_per_worker(problem, Chunking::equal(problem.work, chunks)) * look_up_cost(*problem.risk);
       },
       problem.workers},
      plan.counts_considered);
  const std::size_t tasks = tasks_per_worker(problem, chunking);
  plan.random = RandomOrders{chunking, tasks, problem.startup_cost};
  plan.chunks = chunking.count();
  plan.chunk_size = chunking.size();
  plan.expected_work = expected_by_random_replication(problem, chunking, tasks);
  return plan;
}

}  // namespace coterie::heuristics
