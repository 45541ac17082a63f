#pragma once

#include <memory>

#include "sim/kernels/kernel.hpp"
#include "sim/kernels/schedule_lists.hpp"

namespace coterie::sim {

/// Pieces in chains: in every list where a piece is not the last, the same piece follows it, and every list begins at
/// the head of a chain. Then a list is a sequence of whole chains, the last one perhaps cut off, and what all workers
/// do of a chain together is its longest prefix. Brute force is one chain; without replication each worker has its
/// own; in cyclic replication each lap of the deal runs through the columns a, a + p, a + 2p, ...
/// Only for tasks of one piece. Returns nothing if more than `most_visits` chains would be visited by all lists
/// together.
std::unique_ptr<Kernel> make_chain_kernel(const Schedule& schedule, const PieceSizes& sizes,
                                          const CompileOptions& options, const LaneLoops& loops,
                                          std::size_t most_visits);

}  // namespace coterie::sim
