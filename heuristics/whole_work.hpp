#pragma once

#include "heuristics/granularity.hpp"
#include "heuristics/worksharing.hpp"

namespace coterie::heuristics {

/// Among which numbers of chunks auto looks.
enum class AutoCounts {
  kPerLoad,    ///< n per load u = min(W, maxsl), the paper's unit of work: ceil(n W / u - 1e-9) chunks in all
  kPerWorker,  ///< n for each worker, n p in all
};

/// What a look-up of this risk costs beside one in a table: about a power more.
inline std::size_t look_up_cost(const Risk& risk) {
  return risk.linear_rate() || shape_under(risk) == GranularityObjective::Shape::kSeveralHumps ? 1 : 4;
}

/// What a strategy expects of this many equal chunks in all, how many steps computing that takes, and how many
/// different lists of chunks it has.
struct WholeWorkObjective {
  std::function<double(std::size_t chunks)> expected;
  std::function<std::size_t(std::size_t chunks)> steps;
  std::size_t lists = 1;
};

/// Cuts the whole workload, as the strategies without slices do: auto maximises what is expected over n in 1..u/eps
/// (per load) or 1..maxsl/eps (per worker), so that the choice does not hang on the unit of time; auto-paper searches
/// the total in 1..W maxsl/eps. `ripples`: see GranularityObjective.
Chunking whole_work_chunking(const WorksharingProblem& problem, const Granularity& granularity, AutoCounts counts,
                             const WholeWorkObjective& objective, std::size_t& considered, double ripples = 0.01);

/// The plan of a static schedule over one run of chunks; expected work is computed exactly.
Plan whole_work_plan(const WorksharingProblem& problem, const Chunking& chunking,
                     std::vector<std::shared_ptr<const TaskList>> lists, std::size_t considered);

/// Time at which `steps` of `chunks` equal chunks of the whole workload are done.
inline double finish_of_step(const WorksharingProblem& problem, std::size_t chunks, std::size_t steps) {
  return share_of(problem.work, steps, chunks) + static_cast<double>(steps) * problem.startup_cost;
}

}  // namespace coterie::heuristics
