#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::sim {

/// The plan without chunks that are shorter than their start-up cost, except at the end of a list: each is joined with
/// its neighbour in the list, if the two lie side by side in the work. For a plan with a schedule.
heuristics::Plan without_short_chunks(const heuristics::Plan& plan, double startup_cost);

/// Sizes of the chunks in the lists of a schedule.
struct ChunkSizes {
  std::size_t chunks = 0;  ///< different ones
  double least = 0;        ///< without those that end a list, if there are others
  double greatest = 0;
};
ChunkSizes chunk_sizes(const Schedule& schedule);

}  // namespace coterie::sim
