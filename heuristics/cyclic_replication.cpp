#include "heuristics/cyclic_replication.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heuristics/whole_work.hpp"

namespace coterie::heuristics {
namespace {

std::size_t deals_per_worker(const WorksharingProblem& problem, const Chunking& chunking) {
  const std::size_t once = (chunking.count() + problem.workers - 1) / problem.workers;
  // More deals than chunks give a worker nothing new.
  const double load = std::ceil(problem.local_load() / chunking.size() * (1 - 1e-12));
  return std::max(once, static_cast<std::size_t>(std::min(load, static_cast<double>(chunking.count()))));
}

/// How often the chunks are dealt from the first on, before workers are dealt what they have.
std::size_t laps_of(std::size_t deals, const WorksharingProblem& problem, std::size_t chunks) {
  return std::min(problem.workers / std::gcd(chunks, problem.workers), deals * problem.workers / chunks + 1);
}

/// After M / gcd(M, p) deals a worker is dealt nothing but chunks it has, and before no chunk twice.
std::size_t deals_of_new_chunks(std::size_t deals, const WorksharingProblem& problem, std::size_t chunks) {
  return std::min(deals, chunks / std::gcd(chunks, problem.workers));
}

void deal_chunks(std::size_t worker, std::size_t deals, const WorksharingProblem& problem, std::size_t chunks,
                 TaskLists& lists) {
  const std::size_t step = problem.workers % chunks;
  std::size_t chunk = worker % chunks;  // deal p + worker, modulo M
  for (std::size_t deal = 0; deal < deals; ++deal) {
    lists.add({static_cast<std::uint32_t>(chunk), 1});
    chunk += step;
    if (chunk >= chunks) chunk -= chunks;
  }
}

/// The chunks lost, in chunks, of the column a, a + p, a + 2p, ... of a deal of `chunks` chunks: lap l deals its chunk
/// in row r to some worker as its (r + floor((l M + a) / p))-th. `products` is room to compute in.
double lost_in_column(std::size_t column, std::size_t chunks, std::size_t workers, std::size_t laps,
                      std::span<const double> risk_at_step, std::vector<double>& products) {
  constexpr double kNothing = 1e-20;
  products.assign((chunks - column + workers - 1) / workers, 1.0);
  const std::size_t rows = products.size();
  // The risk never falls from step to step: neither do the products from row to row.
  std::size_t at_stake = 0;
  for (std::size_t lap = 0; lap < laps && at_stake < rows; ++lap) {
    const std::size_t offset = (lap * chunks + column) / workers;
    if (offset >= risk_at_step.size()) break;
    const std::size_t end = std::min(rows, risk_at_step.size() - offset);
    for (std::size_t row = at_stake; row < end; ++row) products[row] *= risk_at_step[row + offset];
    while (at_stake < rows && products[at_stake] <= kNothing) ++at_stake;
  }
  return std::accumulate(products.begin() + static_cast<std::ptrdiff_t>(at_stake), products.end(), 0.0);
}

}  // namespace

double expected_by_cyclic_replication(const WorksharingProblem& problem, std::size_t chunks) {
  const std::size_t p = problem.workers;
  const Chunking chunking = Chunking::equal(problem.work, chunks);
  const std::size_t deals = std::min(deals_per_worker(problem, chunking), chunks / std::gcd(chunks, p));
  std::vector<double> risk_at_step(deals);
  const StepEnds end = chunking.step_ends(problem.startup_cost);
  for (std::size_t s = 0; s < deals; ++s) risk_at_step[s] = end(s + 1);
  problem.risk->probabilities(risk_at_step, risk_at_step);

  // Column a starts lap l at position l M + a, deal floor((l M + a) / p): the offsets change only at a few columns.
  const std::size_t columns = std::min(p, chunks);
  const std::size_t laps = laps_of(deals, problem, chunks);
  std::vector<std::size_t> edges = {0, columns};
  if (chunks % p < columns) edges.push_back(chunks % p);
  if (laps >= columns) {
    edges.resize(columns + 1);
    std::iota(edges.begin(), edges.end(), std::size_t{0});
  } else {
    for (std::size_t lap = 1; lap < laps; ++lap)
      if (const std::size_t edge = p - lap * chunks % p; edge < columns) edges.push_back(edge);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  double lost = 0;
  std::vector<double> products;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)  // columns with the same offsets fare alike
    lost += static_cast<double>(edges[i + 1] - edges[i]) *
            lost_in_column(edges[i], chunks, p, laps, risk_at_step, products);
  return problem.work * (1 - lost / static_cast<double>(chunks));
}

namespace {

/// What computing that takes: each kind of column at each of its laps.
std::size_t steps_of_cyclic_replication(const WorksharingProblem& problem, std::size_t chunks) {
  const std::size_t p = problem.workers;
  const std::size_t deals = deals_per_worker(problem, Chunking::equal(problem.work, chunks));
  const std::size_t laps = laps_of(deals, problem, chunks);
  return deals * look_up_cost(*problem.risk) + std::min({p, chunks, laps + 1}) * (chunks / p + 1) * laps;
}

}  // namespace

/// Expected work jumps with the greatest common divisor of M and p; a doubling of n has most of them.
constexpr double kCyclicRipples = 0.02;
constexpr std::size_t kCyclicPatience = 12;

Plan cyclic_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  const Chunking chunking =
      whole_work_chunking(problem, granularity,
                          {[&](std::size_t chunks) { return expected_by_cyclic_replication(problem, chunks); },
                           [&](std::size_t chunks) { return steps_of_cyclic_replication(problem, chunks); },
                           problem.workers, kCyclicRipples, kCyclicPatience},
                          considered);
  const std::size_t deals = deals_of_new_chunks(deals_per_worker(problem, chunking), problem, chunking.count());
  refuse_too_many_tasks(problem.workers * deals);
  TaskLists lists;
  lists.reserve(problem.workers, problem.workers * deals);
  FinishTimes timed;
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    deal_chunks(worker, deals, problem, chunking.count(), lists);
    lists.close(chunking.back_to_back(lists.open(), problem.startup_cost, 0, timed));
    if (worker == 0) timed = lists[0].finish;
  }
  return whole_work_plan(problem, chunking, std::move(lists), considered);
}

}  // namespace coterie::heuristics
