#pragma once

#include "core/mixture_risk.hpp"
#include "heuristics/chunks/granularity.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// The cost of a look-up of this risk relative to one in a table: about a power more, and for a mixture one per class.
inline std::size_t look_up_cost(const Risk& risk) {
  if (const auto* mixture = dynamic_cast<const MixtureRisk*>(&risk)) {
    std::size_t sum = 0;
    for (const RiskPtr& one : mixture->classes()) sum += look_up_cost(*one);
    return sum;
  }
  return risk.linear_rate() || shape_under(risk) == GranularityObjective::Shape::kSeveralHumps ? 1 : 4;
}

/// The expected work of a strategy with this many equal chunks in all, how many steps computing it takes, and how many
/// distinct lists of chunks it has. `ripples`, `patience` and `stride`: see GranularityObjective.
struct WholeWorkObjective {
  std::function<double(std::size_t chunks)> expected;
  std::function<std::size_t(std::size_t chunks)> steps;
  std::size_t lists = 1;
  double ripples = 0.01;
  std::size_t patience = 3;
  std::size_t stride = 1;
};

/// Cuts the whole workload, as the strategies without slices do: auto maximises expected work over all numbers of
/// chunks. auto-paper searches the total in 1..W maxsl/eps.
Chunking whole_work_chunking(const WorksharingProblem& problem, const Granularity& granularity,
                             const WholeWorkObjective& objective, std::size_t& considered);

/// The plan of a static schedule over one range of chunks, with lists as in Schedule; expected work is computed
/// exactly.
Plan whole_work_plan(const WorksharingProblem& problem, const Chunking& chunking, TaskLists lists,
                     std::size_t considered, std::vector<std::uint32_t> list_of = {});

}  // namespace coterie::heuristics
