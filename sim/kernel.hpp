#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "core/stream.hpp"
#include "heuristics/worksharing.hpp"

namespace coterie::sim {

/// Buffers that one thread needs to run kernels; grows to the largest of them.
struct KernelScratch {
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> order;
};

/// A compiled schedule: how much work is completed for given capacities. Immutable, shared by threads.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// `capacities`: one a worker, infinite allowed. Work in [0, deployed work].
  virtual double completed_work(std::span<const double> capacities, std::uint64_t instance,
                                KernelScratch& scratch) const = 0;
  /// Leading tasks that each worker completes, for replay.
  virtual std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t instance) const = 0;
};

/// Exact ways to evaluate a schedule.
enum class Evaluation {
  kCheapest,  ///< whichever costs least
  kChains,  ///< pieces that always follow one another form a chain, every worker runs prefixes of chains, and the union
            ///< of prefixes is the longest (brute force, no replication, cyclic replication); tasks of one piece only
  kBitsets,  ///< for each worker and number of tasks the set of pieces done, joined by OR (group schedules)
  kMarks,    ///< pieces marked one by one, where the sets would not fit in memory
};

/// Throws std::invalid_argument for chains where a task has several pieces.
std::unique_ptr<Kernel> compile(const Schedule& schedule, Evaluation evaluation = Evaluation::kCheapest);

/// Orders drawn anew for each instance from the streams of `key` (Use::kSchedule).
std::unique_ptr<Kernel> compile(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key);

}  // namespace coterie::sim
