#include "heuristics/worksharing/single_optimal.hpp"

#include <cmath>

#include "core/chunk_numbers.hpp"
#include "core/empirical_risk.hpp"
#include "heuristics/chunks/chunk_search.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/two_workers.hpp"

namespace coterie::heuristics {
namespace {

std::optional<std::int64_t> most_chunks(const Granularity& granularity, double work) {
  switch (granularity.kind) {
    case Granularity::Kind::kPerUnit:
      return static_cast<std::int64_t>(Chunking::per_unit(work, granularity.count).count());
    case Granularity::Kind::kPerSlice:
      return static_cast<std::int64_t>(granularity.count);
    default:
      return std::nullopt;
  }
}

/// Each worker's share in chunks of these sizes.
Plan plan_of_shares(const WorksharingProblem& problem, const std::vector<double>& sizes) {
  std::vector<double> boundaries = {0};
  std::vector<double> times;
  double clock = 0;
  for (const double size : sizes) times.push_back(clock += size + problem.startup_cost);
  const FinishTimes finish(std::move(times));
  refuse_too_many_tasks(problem.workers * finish.size());
  TaskLists lists;
  lists.reserve(problem.workers, problem.workers * finish.size());
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    for (const double size : sizes) {
      lists.add({static_cast<std::uint32_t>(boundaries.size() - 1), 1});
      boundaries.push_back(boundaries.back() + size);
    }
    lists.close(finish);
  }
  Plan plan;
  plan.chunks = boundaries.size() - 1;
  plan.chunk_size = sizes.empty() ? 0 : sizes.front();
  plan.schedule = std::make_shared<const Schedule>(std::move(boundaries), std::move(lists));
  plan.expected_work = expected_work(*plan.schedule, problem.risks());
  return plan;
}

}  // namespace

void require_single_optimal(const WorksharingProblem& problem, const Granularity& granularity) {
  if (granularity.kind != Granularity::Kind::kPerUnit && granularity.kind != Granularity::Kind::kPerSlice &&
      problem.startup_cost <= 0)
    throw InputError(
        "single-optimal without a start-up cost needs a whole number of chunks, since there is in general no best one");
}

Plan single_optimal_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  require_single_optimal(problem, granularity);
  const double share = share_of(problem.work, 1, problem.workers);
  return plan_of_shares(
      problem,
      optimal_chunks({share, most_chunks(granularity, share), problem.startup_cost, problem.risk}).chunk_sizes);
}

Plan single_near_optimal_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  require_single_optimal(problem, granularity);
  constexpr std::size_t kPatience = 4;
  constexpr auto kAsTheyAre = static_cast<std::size_t>(-1);  // jumps: none is left out
  const double share = share_of(problem.work, 1, problem.workers);
  const auto most = most_chunks(granularity, share);
  const auto find = [&]() -> std::vector<SliceCache::ChunkSizes> {
    const EmpiricalRisk* trace = problem.risk->steps();
    if (trace == nullptr) return {optimal_chunks({share, most, problem.startup_cost, problem.risk}).chunk_sizes};
    const std::int64_t chunks = most.value_or(std::ssize(trace->jumps()) + 1);
    return {best_chunks(share, std::span(&chunks, 1), problem.startup_cost, *trace, kPatience).front().sizes};
  };
  const SliceCache::Share alike{
      problem.risk, share, problem.startup_cost, kAsTheyAre, {static_cast<std::size_t>(most.value_or(0))}};
  const auto sizes = granularity.memory == nullptr ? find() : granularity.memory->sizes(alike, find);
  return plan_of_shares(problem, sizes.front());
}

void require_two_workers(const WorksharingProblem& problem, const Granularity& granularity) {
  if (problem.workers != 2)
    throw InputError("two-workers shares work among exactly 2 workers, not " + std::to_string(problem.workers));
  if (!most_chunks(granularity, problem.work) && problem.startup_cost <= 0)
    throw InputError(
        "two-workers without a start-up cost needs a whole number of chunks, since there is in general no best one");
}

Plan two_workers_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  require_two_workers(problem, granularity);
  const auto chunks = most_chunks(granularity, problem.work);
  const TwoWorkerSolution solution = best_two_workers(problem.work, chunks, problem.startup_cost, problem.risk);
  Plan plan;
  plan.schedule = std::make_shared<const Schedule>(to_schedule(solution));
  plan.chunks = ChunkNumbers(*plan.schedule).count();
  plan.chunk_size = solution.chunks[0].empty() ? 0 : solution.chunks[0].front().end - solution.chunks[0].front().begin;
  plan.expected_work = expected_work(*plan.schedule, problem.risks());
  return plan;
}

}  // namespace coterie::heuristics
