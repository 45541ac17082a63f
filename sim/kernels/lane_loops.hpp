#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vector_loops.hpp"
#include "sim/kernels/schedule_views.hpp"

namespace coterie::sim {

/// Random sets of chunks, one a worker, and where their random numbers come from.
struct RandomSets {
  std::uint32_t key0 = 0;
  std::uint32_t key1 = 0;
  std::uint64_t first_instance = 0;
  std::size_t workers = 0;
  std::int32_t chunks = 0;
  std::uint32_t balls = 1;  ///< that two words pick
};

/// M/M/1 queues beside workers, which run at speed[n] while there are n jobs: core's BackgroundWalk, by tables of what
/// comes next after each number of jobs. Two rows more than `rows` are there to be read.
struct QueuesView {
  std::uint32_t key0 = 0;
  std::uint32_t key1 = 0;
  std::uint64_t first_instance = 0;
  std::size_t first_worker = 0;
  std::size_t workers = 0;
  std::size_t lanes = kLanes;  ///< others are left alone
  bool common = false;         ///< all workers have the queue of worker 0
  std::uint64_t initial = 0;
  std::uint64_t rows = 0;
  bool two_rates = false;  ///< all rows but the first tell the same, but for the speed
  const double* mean_time = nullptr;
  const std::uint64_t* arrival = nullptr;
  const double* speed = nullptr;
  double enough = 0;         ///< work beyond which nobody looks
  std::uint64_t blocks = 0;  ///< pairs of changes that a walk may have
};

/// The part of interruptions that zones share: survival[z][lane] down to which each of `zones` goes, z from first_zone
/// on, and by worker from first_worker on, which zone is hers: core's Zones.
struct ZonesView {
  double own = 1;  ///< 1 / (1 - rho); infinite: workers are interrupted with their zones only
  const double* survival = nullptr;
  const std::uint32_t* zone_of = nullptr;
};

/// Workers in the order in which the omniscient serves them, one after the other.
struct InformedView {
  std::size_t workers = 0;
  const std::uint32_t* order = nullptr;  ///< the k-th served: which worker; and of each, in this order:
  const double* receive = nullptr;       ///< time to receive a unit of work
  const double* startup = nullptr;       ///< time of a start-up cost
  const double* process = nullptr;       ///< time to process a unit of work, and to receive it where nothing overlaps
  bool overlap = false;                  ///< workers process while they receive
  double work = 0;
};

/// Values of a row of results or, where there is another one, what the row has more.
struct SeriesView {
  const double* row = nullptr;
  const double* other = nullptr;
  std::size_t count = 0;
};

/// The inner loops of the simulation, compiled for several instruction sets. All give the same bits.
struct LaneLoops {
  const char* name;
  /// uniforms[w][lane] of instance first_instance + lane and worker first_worker + w, a multiple of 4: the numbers of
  /// core's worker_uniforms. Room for the workers rounded up to a multiple of 4.
  void (*uniforms)(std::uint32_t key0, std::uint32_t key1, std::uint64_t first_instance, std::size_t first_worker,
                   std::size_t workers, double* uniforms);
  /// survival[i][lane] = (1 - uniforms[i][lane])^exponent, within 3e-11; may be one array. exponent >= 1.
  void (*survivals)(const double* uniforms, std::size_t rows, double exponent, double* survival);
  /// Of each worker's uniform makes the one that its interruption time is the quantile of,
  ///   1 - max(survival of its zone, (1 - uniform)^(1 / (1 - rho))),
  /// again a number of the grid of uniforms, (k + 1/2) / 2^32.
  void (*join_zones)(const ZonesView& zones, std::size_t workers, double* uniforms);
  /// work[worker][lane] done before the interruption times[worker][lane]; NaN where a queue outgrows the tables or
  /// changes too often, for who does without tables.
  void (*queues)(const QueuesView& queues, const double* times, double* work);
  /// useful[lane] += sum over workers of max(0, capacity - eps).
  void (*add_useful)(const double* capacities, std::size_t workers, double startup_cost, double* useful);
  /// bound[lane] on the work that can be completed before the interruption times[worker][lane]: heuristics'
  /// informed_work_bound. `slack`: room for as many.
  void (*bound_informed)(const InformedView& view, const double* times, double* slack, double* bound);
  /// work[lane] of counts[size][lane] pieces of each size: all work where all are done, else the sum, size by size.
  void (*add_up)(const SizesView& sizes, const std::int32_t* counts, double* work);
  /// ratio[lane] = min(1, work / reference), 1 where the reference is 0.
  void (*ratios)(const double* work, const double* reference, double* ratio);
  /// done[worker][lane] tasks within each capacity.
  void (*count)(const TaskCounterView& counter, const double* capacities, std::size_t workers, std::int32_t* done);
  /// Longest prefix of each chain with a slot (prefix[slot][lane], zero before). The lengths of all prefixes are added
  /// to counts[size][lane]; chains without a slot are of the first size. `done`: room for a row a list of the ring
  /// that has most.
  void (*chains)(const ChainsView& chains, const double* capacities, std::int32_t* prefix, std::int32_t* counts,
                 std::int32_t* done);
  /// Workers that complete sets[worker][lane] chunks each, random sets of that size: completed[lane] of the chunks are
  /// in any of them. The numbers are the words of core's Stream of (instance, worker), two for draw.balls draws.
  void (*join_random_sets)(const RandomSets& draw, const std::int32_t* sets, std::int32_t* completed);
  /// The pieces in the union of each group's sets are added to counts[size][lane]. `joined`: room for a row a lane of
  /// the widest group.
  void (*sets)(const SetsView& sets, const double* capacities, std::uint64_t* joined, std::int32_t* counts);
  /// By lane of sums, of a series that has a value; where a lane has none, least and greatest are its first.
  void (*sum_series)(const SeriesView& series, double* sum, double* least, double* greatest);
  void (*sum_deviations)(const SeriesView& series, double mean, double* squares);
  /// cell[i] = floor(cells * values[i]): of those in [0, 1), which of so many parts of the same width; `cells` of those
  /// above, 0 below.
  void (*find_cells)(const double* values, std::size_t count, std::int32_t cells, std::int32_t* cell);
  bool columns;  ///< sets in columns are faster
};

/// Those that this machine can run, the portable ones first.
std::vector<const LaneLoops*> usable_lane_loops();
/// Those of core's best_instruction_set().
const LaneLoops& best_lane_loops();

}  // namespace coterie::sim
