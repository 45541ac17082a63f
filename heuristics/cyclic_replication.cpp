#include "heuristics/cyclic_replication.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include "heuristics/whole_work.hpp"

namespace coterie::heuristics {
namespace {

std::size_t deals_per_worker(const WorksharingProblem& problem, const Chunking& chunking) {
  const std::size_t once = (chunking.count() + problem.workers - 1) / problem.workers;
  const double load = std::ceil(problem.local_load() / chunking.size() * (1 - 1e-12));
  return std::max(once, static_cast<std::size_t>(load));
}

std::vector<std::size_t> dealt_chunks(std::size_t worker, std::size_t deals, const WorksharingProblem& problem,
                                      std::size_t chunks) {
  std::vector<std::size_t> list;
  // After p / gcd(M, p) laps a worker is dealt nothing but chunks it has.
  const std::size_t period = chunks / std::gcd(chunks, problem.workers);
  std::vector<bool> has(chunks, false);
  for (std::size_t deal = 0; deal < std::min(deals, period); ++deal) {
    const std::size_t chunk = (deal * problem.workers + worker) % chunks;
    if (has[chunk]) continue;
    has[chunk] = true;
    list.push_back(chunk);
  }
  return list;
}

/// The work lost of a column of chunks a, a + p, a + 2p, ...: on lap l chunk (row, a) is dealt to some worker as its
/// row + offset_l-th; columns with the same offsets fare alike.
double lost_in_column(std::size_t rows, std::span<const std::size_t> offsets, std::span<const double> risk_at_step) {
  double sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double product = 1;
    for (const std::size_t offset : offsets) {
      if (row + offset >= risk_at_step.size() || product < 1e-20) break;
      product *= risk_at_step[row + offset];
    }
    sum += product;
  }
  return sum;
}

/// Greater than expected_by_cyclic_replication(n) for every n in [first, last], by the inequality of the means over all
/// executions: each worker makes at most L of them, where p L <= M max(1, p maxsl / W) + p.
double bound_by_cyclic_replication(const WorksharingProblem& problem, std::size_t first, std::size_t last) {
  const double step = finish_of_step(problem, last, 1);
  const std::size_t safe = steps_without_risk(*problem.risk, step);
  const std::size_t p = problem.workers;
  if (safe * p >= first) return problem.work;
  const std::size_t deals = deals_per_worker(problem, Chunking::equal(problem.work, first));
  const double mean_log = lower_mean(deals - std::min(deals - 1, safe), [&](std::size_t s) {
    return std::log(problem.risk->probability(static_cast<double>(safe + s) * step));
  });
  const auto fewest = static_cast<double>(first);
  const double replicas =
      std::max(1.0, static_cast<double>(p) * problem.local_load() / problem.work) + static_cast<double>(p) / fewest;
  const double at_risk = (fewest - static_cast<double>(safe * p)) / fewest;
  return problem.work * (1 - at_risk * std::exp(replicas / at_risk * mean_log));
}

}  // namespace

double expected_by_cyclic_replication(const WorksharingProblem& problem, std::size_t chunks) {
  const std::size_t p = problem.workers;
  const Chunking chunking = Chunking::equal(problem.work, chunks);
  const std::size_t deals = std::min(deals_per_worker(problem, chunking), chunks / std::gcd(chunks, p));
  std::vector<double> risk_at_step(deals);
  for (std::size_t s = 0; s < deals; ++s) risk_at_step[s] = finish_of_step(problem, chunks, s + 1);
  problem.risk->probabilities(risk_at_step, risk_at_step);

  // Column a starts lap l at position l M + a, deal floor((l M + a) / p): the offsets change only at a few columns.
  std::vector<std::size_t> starts;
  const std::size_t laps = std::min(p / std::gcd(chunks, p), deals * p / chunks + 1);
  std::set<std::size_t> edges = {0, chunks % p};
  for (std::size_t lap = 0; lap < laps; ++lap) edges.insert(p - lap * chunks % p);
  edges.insert(std::min(p, chunks));
  double lost = 0;
  std::vector<std::size_t> offsets;
  for (auto edge = edges.begin(); std::next(edge) != edges.end() && *edge < std::min(p, chunks); ++edge) {
    const std::size_t column = *edge;
    offsets.clear();
    for (std::size_t lap = 0; lap < laps; ++lap) offsets.push_back((lap * chunks + column) / p);
    const std::size_t rows = (chunks - column + p - 1) / p;
    const auto columns = static_cast<double>(*std::next(edge) - column);
    lost += columns * lost_in_column(rows, offsets, risk_at_step);
  }
  return problem.work * (1 - lost / static_cast<double>(chunks));
}

Plan cyclic_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  const Chunking chunking =
      whole_work_chunking(problem, granularity, AutoCounts::kPerUnitOfWork,
                          {[&](std::size_t chunks) { return expected_by_cyclic_replication(problem, chunks); },
                           [&](std::size_t a, std::size_t b) { return bound_by_cyclic_replication(problem, a, b); }},
                          considered);
  const std::size_t deals = deals_per_worker(problem, chunking);
  refuse_too_many_tasks(problem.workers * std::min(deals, chunking.count()));
  std::vector<std::shared_ptr<const TaskList>> lists;
  for (std::size_t worker = 0; worker < problem.workers; ++worker)
    lists.push_back(std::make_shared<TaskList>(
        chunking.tasks(dealt_chunks(worker, deals, problem, chunking.count()), problem.startup_cost)));
  return whole_work_plan(problem, chunking, std::move(lists), considered);
}

}  // namespace coterie::heuristics
