#include "heuristics/worksharing/cyclic_replication.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/vector_loops.hpp"
#include "heuristics/worksharing/whole_work.hpp"

namespace coterie::heuristics {
namespace {

/// How M chunks are dealt to p workers.
struct Deal {
  Deal(const WorksharingProblem& problem, const Chunking& cut)
      : chunking(cut), workers(problem.workers), chunks(cut.count()) {
    const std::size_t once = (chunks + workers - 1) / workers;
    const double load = std::ceil(problem.local_load() / cut.size() * (1 - 1e-12));
    const auto enough = static_cast<std::size_t>(std::min(load, static_cast<double>(chunks)));
    // After M / gcd(M, p) rounds a worker is dealt nothing but chunks it has, and before no chunk twice.
    const std::size_t common = std::gcd(chunks, workers);
    rounds = std::min(std::max(once, enough), chunks / common);
    laps = std::min(workers / common, rounds * workers / chunks + 1);
  }

  Chunking chunking;
  std::size_t workers;
  std::size_t chunks;
  std::size_t rounds;  ///< chunks that each worker is dealt, none of them twice
  std::size_t laps;    ///< how often the chunks are dealt from the first on
};

void deal_chunks(std::size_t worker, const Deal& deal, TaskLists& lists) {
  const std::size_t step = deal.workers % deal.chunks;
  std::size_t chunk = worker % deal.chunks;  // round p + worker, modulo M
  for (std::size_t round = 0; round < deal.rounds; ++round) {
    lists.add({static_cast<std::uint32_t>(chunk), 1});
    chunk += step;
    if (chunk >= deal.chunks) chunk -= deal.chunks;
  }
}

/// Exact expected work by the number of chunks; memory is reused.
class Objective {
 public:
  explicit Objective(const WorksharingProblem& problem) : problem_(problem) {}

  double expected(std::size_t chunks);
  /// The cost of computing it: each kind of column at each of its laps.
  std::size_t steps(std::size_t chunks) {
    const Deal& deal = deal_of(chunks);
    return deal.rounds * look_up_cost(*problem_.risk) +
           std::min({deal.workers, chunks, deal.laps + 1}) * (chunks / deal.workers + 1) * deal.laps;
  }

 private:
  const Deal& deal_of(std::size_t chunks) {
    if (!deal_ || deal_->chunks != chunks) deal_.emplace(problem_, Chunking::equal(problem_.work, chunks));
    return *deal_;
  }
  void find_edges(const Deal& deal);
  double lost_in_column(const Deal& deal, std::size_t column);

  /// Lap l begins at position l M of all that is dealt: with worker l M mod p in round floor(l M / p).
  struct Lap {
    std::size_t round;
    std::size_t worker;
  };

  const WorksharingProblem& problem_;
  std::optional<Deal> deal_;          // of the last number: steps are asked for before what is expected
  std::vector<double> risk_at_step_;  // of the rounds; then ones, as many as a column has rows
  std::vector<Lap> laps_;
  std::vector<std::size_t> edges_;
  std::vector<const double*> factors_;  // of a column, by lap
};

/// Columns with the same offsets fare alike: the edges between them. Column a starts lap l at position l M + a, and so
/// its round changes at few columns.
void Objective::find_edges(const Deal& deal) {
  laps_.clear();
  for (std::size_t lap = 0; lap < deal.laps; ++lap)
    laps_.push_back({lap * deal.chunks / deal.workers, lap * deal.chunks % deal.workers});
  const std::size_t columns = std::min(deal.workers, deal.chunks);
  edges_ = {0, columns};
  if (deal.laps >= columns) {
    edges_.resize(columns + 1);
    std::iota(edges_.begin(), edges_.end(), std::size_t{0});
    return;
  }
  if (deal.chunks % deal.workers < columns) edges_.push_back(deal.chunks % deal.workers);
  for (const Lap& lap : laps_)
    if (const std::size_t edge = deal.workers - lap.worker; edge < columns) edges_.push_back(edge);
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

/// The chunks lost, in chunks, of the column a, a + p, a + 2p, ...: lap l deals its chunk in row r to some worker as
/// its (r + floor((l M + a) / p))-th. The risk never falls from step to step: a lap that is dealt nothing in its first
/// row is dealt nothing at all.
double Objective::lost_in_column(const Deal& deal, std::size_t column) {
  constexpr std::size_t kTogether = 4;
  const double* const none = risk_at_step_.data() + deal.rounds;
  factors_.clear();
  for (const Lap& lap : laps_) {
    const std::size_t round = lap.round + (lap.worker + column >= deal.workers ? 1 : 0);
    if (round >= deal.rounds) break;
    factors_.push_back(risk_at_step_.data() + round);
  }
  while (factors_.size() % kTogether != 0) factors_.push_back(none);
  const std::size_t rows = (deal.chunks - column + deal.workers - 1) / deal.workers;
  return vector_loops().sum_products(factors_.data(), factors_.size(), rows);
}

double Objective::expected(std::size_t chunks) {
  const Deal& deal = deal_of(chunks);
  risk_at_step_.resize(deal.rounds);
  risk_at_step_.resize(deal.rounds + chunks / deal.workers + 1, 1.0);
  const std::span<double> dealt = std::span(risk_at_step_).first(deal.rounds);
  deal.chunking.step_ends(problem_.startup_cost).fill(dealt);
  problem_.risk->probabilities(dealt, dealt);

  find_edges(deal);
  double lost = 0;
  for (std::size_t i = 0; i + 1 < edges_.size(); ++i)
    lost += static_cast<double>(edges_[i + 1] - edges_[i]) * lost_in_column(deal, edges_[i]);
  return problem_.work * (1 - lost / static_cast<double>(chunks));
}

}  // namespace

double expected_by_cyclic_replication(const WorksharingProblem& problem, std::size_t chunks) {
  return Objective(problem).expected(chunks);
}

/// Expected work jumps with the greatest common divisor of M and p, and is often greatest beside a multiple of p.
constexpr double kCyclicRipples = 0.014;
constexpr std::size_t kCyclicPatience = 12;

Plan cyclic_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  std::size_t considered = 0;
  Objective objective(problem);
  const Chunking chunking = whole_work_chunking(problem, granularity,
                                                {[&](std::size_t chunks) { return objective.expected(chunks); },
                                                 [&](std::size_t chunks) { return objective.steps(chunks); },
                                                 problem.workers, kCyclicRipples, kCyclicPatience, problem.workers},
                                                considered);
  const Deal deal(problem, chunking);
  refuse_too_many_tasks(problem.workers * deal.rounds);
  TaskLists lists;
  lists.reserve(problem.workers, problem.workers * deal.rounds);
  ListTimes times(chunking, problem.startup_cost);
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    deal_chunks(worker, deal, lists);
    lists.close(times.of(lists.open()));
  }
  return whole_work_plan(problem, chunking, std::move(lists), considered);
}

}  // namespace coterie::heuristics
