#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "core/stream.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "sim/kernels/lane_array.hpp"
#include "sim/kernels/lane_loops.hpp"
#include "sim/kernels/task_counter.hpp"

namespace coterie::sim {

/// Buffers that one thread needs to run kernels; they grow to the largest size needed.
struct KernelScratch {
  LaneArray<std::uint64_t> words;
  LaneArray<std::int32_t> counts;
  LaneArray<double> reals;
};

/// kLanes instances at once, which are independent of one another. Kernels only compare: capacities have been made
/// longer by what counts as the same time (ties.hpp) before.
struct LaneInstances {
  const double* capacities = nullptr;          ///< [worker][lane], infinite allowed
  std::uint64_t first = 0;                     ///< number of the instance in lane 0
  std::size_t lanes = kLanes;                  ///< others may be left out
  const std::int32_t* common_tasks = nullptr;  ///< [worker][lane]: of CompileOptions::common, where there is one
};

/// A compiled schedule: how much work is completed for given capacities. Immutable, shared by threads.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// work[lane] in [0, deployed work].
  virtual void completed_work(const LaneInstances& instances, KernelScratch& scratch, double* work) const = 0;
  /// Leading tasks that each worker completes, for replay.
  virtual std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t instance) const = 0;

  /// One instance, with the same bits.
  double completed_work(std::span<const double> capacities, std::uint64_t instance, KernelScratch& scratch) const;
};

/// Exact ways to evaluate a schedule.
enum class Evaluation {
  kCheapest,  ///< whichever costs least
  kChains,    ///< chain_kernel.hpp: the longest prefixes of chains; tasks of one piece only
  kBitsets,   ///< set_kernel.hpp: sets of pieces joined by OR
  kMarks,     ///< set_kernel.hpp: pieces marked one by one
};

struct CompileOptions {
  Evaluation evaluation = Evaluation::kCheapest;
  CapacityGrid grid = {};
  const LaneLoops* loops = nullptr;  ///< nothing: best_lane_loops()
  /// Of a list whose tasks are counted once for several kernels: those of which all lists begin it need not count
  /// (random orders: if it is theirs).
  FinishTimes common = {};
};

/// The longest list of a schedule or of random orders if all their lists begin it; else none.
FinishTimes longest_list(const Schedule& schedule);
FinishTimes longest_list(const heuristics::RandomOrders& orders);
/// The one of these that is begun by most of them, the first of such; none where that is only itself.
FinishTimes common_list(std::span<const FinishTimes> lists);

/// Throws std::invalid_argument for chains if a task has several pieces.
std::unique_ptr<Kernel> compile(const Schedule& schedule, const CompileOptions& options = {});

/// Orders drawn anew for each instance from the streams of `key` (Use::kSchedule).
std::unique_ptr<Kernel> compile(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key,
                                const CompileOptions& options = {});

}  // namespace coterie::sim
