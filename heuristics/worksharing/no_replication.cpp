#include "heuristics/worksharing/no_replication.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ties.hpp"
#include "core/vector_loops.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/whole_work.hpp"

namespace coterie::heuristics {
namespace {

constexpr auto kAuto = Granularity::Kind::kAuto;

/// Sum of 1 - Pr over the first `steps` steps of a worker. Under linear risk, where S of them end before X:
/// S - kappa d S (S + 1) / 2.
double steps_survived(const WorksharingProblem& problem, const StepEnds& end, std::size_t steps) {
  if (const auto kappa = problem.risk->linear_rate()) {
    const double risk_of_step = *kappa * end(1);
    const double at_risk = std::min(static_cast<double>(steps), std::floor(1 / risk_of_step));
    return at_risk - risk_of_step * at_risk * (at_risk + 1) / 2;
  }
  const double last = just_after(problem.risk->horizon());
  constexpr std::size_t kTogether = 32;
  std::array<double, kTogether> risks;
  double sum = 0;
  for (std::size_t first = 1; first <= steps && end(first) <= last; first += kTogether) {
    const auto some = std::span(risks).first(std::min(kTogether, steps - first + 1));
    end.fill(some, first);
    const auto alive = some.first(static_cast<std::size_t>(std::ranges::upper_bound(some, last) - some.begin()));
    problem.risk->probabilities(alive, alive);
    sum += vector_loops().sum_complements(alive.data(), alive.size(), 1);
  }
  return sum;
}

/// E = omega x sum over steps s of (workers with at least s chunks) (1 - Pr(s (omega + eps))).
double expected_without_replication(const WorksharingProblem& problem, std::size_t chunks) {
  const std::size_t rows = chunks / problem.workers;
  const std::size_t rest = chunks % problem.workers;  // workers with one chunk more
  const StepEnds end = Chunking::equal(problem.work, chunks).step_ends(problem.startup_cost);
  double sum = static_cast<double>(problem.workers) * steps_survived(problem, end, rows);
  if (rest > 0) sum += static_cast<double>(rest) * (1 - problem.risk->probability(end(rows + 1)));
  return problem.work / static_cast<double>(chunks) * sum;
}

std::size_t steps_of_each_worker(const WorksharingProblem& problem, std::size_t chunks) {
  return (chunks / problem.workers + 1) * look_up_cost(*problem.risk);
}

/// How many chunks the share of each worker is cut into: shares of one size are alike, whatever the number of workers.
GranularityChoice choose_share_chunks(const WorksharingProblem& problem, SliceCache* memory) {
  WorksharingProblem one = problem;
  one.workers = 1;
  one.work = share_of(problem.work, 1, problem.workers);
  granularity_limit(problem.for_any_lambda().local_load(), problem.startup_cost);  // refuses what cannot be searched
  const std::size_t limit = std::clamp<std::size_t>(100'000'000 / problem.workers, 1, 1'000'000);  // held in memory
  const auto choose = [&] {
    return best_granularity(limit,
                            {.expected = [&](std::size_t n, double) { return expected_without_replication(one, n); },
                             .steps = [&](std::size_t n) { return steps_of_each_worker(one, n); },
                             .first = first_count_of_use(*problem.risk, one.work, problem.startup_cost, limit),
                             .whole = one.work,
                             .in_progress = one.work,
                             .shape = shape_under(*problem.risk, one.work)});
  };
  return count_of(memory, {problem.risk, 1, one.work, problem.startup_cost, limit, nullptr, kAuto}, choose);
}

Chunking chunking_of(const WorksharingProblem& problem, const Granularity& granularity, std::size_t& considered) {
  if (granularity.kind == kAuto) {
    const GranularityChoice choice = choose_share_chunks(problem, granularity.memory);
    considered = choice.evaluated;
    return Chunking::equal(problem.work, choice.chunks * problem.workers);
  }
  return whole_work_chunking(
      problem, granularity,
      {[&](std::size_t chunks) { return expected_without_replication(problem, chunks); },
       [&](std::size_t chunks) { return steps_of_each_worker(problem, chunks); }, problem.workers},
      considered);
}

}  // namespace

Plan no_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  const Chunking chunking = chunking_of(problem, granularity, considered);
  TaskLists lists;
  lists.reserve(problem.workers, chunking.count());
  ListTimes times(chunking, problem.startup_cost);
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    for (std::size_t chunk = worker; chunk < chunking.count(); chunk += problem.workers)
      lists.add({static_cast<std::uint32_t>(chunk), 1});
    lists.close(times.of(lists.open()));
  }
  return whole_work_plan(problem, chunking, std::move(lists), considered);
}

}  // namespace coterie::heuristics
