// The loops of LaneLoops, included by one source file for each instruction set, which defines COTERIE_LOOPS as the name
// of its instance. Everything is local to that file, and nothing of the standard library is used: an inline function
// compiled here for a newer processor could otherwise be picked by the linker for all of the program.
// (No include guard: this is a body, not a header.)

#include "sim/kernels/queue_loops.hpp"
#include "sim/kernels/random_set_loops.hpp"
#include "sim/kernels/row_loops.hpp"
#include "sim/kernels/set_loops.hpp"
#include "sim/kernels/task_counts.hpp"
#include "sim/kernels/zone_loops.hpp"

namespace coterie::sim {
namespace {

/// At counter (block, ~0, instance low, instance high).
void draw_uniforms(std::uint32_t key0, std::uint32_t key1, std::uint64_t first_instance, std::size_t first_worker,
                   std::size_t workers, double* uniforms) {
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    const Words instance = instances_from(first_instance + lane);
    for (std::size_t worker = 0; worker < workers; worker += 4) {
      const Counters words =
          philox({Words{} + (first_worker + worker) / 4, Words{} + 0xffffffff, instance, instance >> 32}, key0, key1);
      const Reals draws[4] = {to_uniforms(words.c0), to_uniforms(words.c1), to_uniforms(words.c2),
                              to_uniforms(words.c3)};
      for (std::size_t i = 0; i < 4; ++i)
        __builtin_memcpy(uniforms + (worker + i) * kLanes + lane, &draws[i], sizeof draws[i]);
    }
  }
}

void add_useful(const double* capacities, std::size_t workers, double startup_cost, double* useful) {
  double sum[kLanes];
  __builtin_memcpy(sum, useful, sizeof sum);
  for (std::size_t w = 0; w < workers; ++w)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double done = capacities[w * kLanes + lane] - startup_cost;
      sum[lane] += done > 0 ? done : 0;
    }
  __builtin_memcpy(useful, sum, sizeof sum);
}

void add_up(const SizesView& sizes, const std::int32_t* counts, double* work) {
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    Reals sum = {};
    HalfIntegers not_done = {};
    for (std::size_t size = 0; size < sizes.sizes; ++size) {
      HalfIntegers count;
      __builtin_memcpy(&count, counts + size * kLanes + lane, sizeof count);
      sum += __builtin_convertvector(count, Reals) * sizes.size[size];
      not_done |= count ^ sizes.pieces[size];
    }
    const Reals all = Reals{} + sizes.all_work;
    sum = __builtin_convertvector(not_done == 0, Words) != 0 ? all : sum;
    __builtin_memcpy(work + lane, &sum, sizeof sum);
  }
}

void ratios_to(const double* work, const double* reference, double* ratio) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double quotient = work[lane] / reference[lane];
    ratio[lane] = reference[lane] > 0 && quotient < 1 ? quotient : 1;
  }
}

/// Visits of a list that any lane gets to; where there are few it does not matter.
inline std::size_t visits_begun(const Counts& done, const Visit* visits, std::size_t count) {
  constexpr std::size_t kFew = 6;
  if (count <= kFew) return count;
  std::int32_t values[kLanes];
  done.put(values);
  std::int32_t most = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) most = most < values[lane] ? values[lane] : most;
  while (count > 0 && visits[count - 1].offset >= most) --count;
  return count;
}

void run_chains(const ChainsView& chains, const double* capacities, std::int32_t* prefix, std::int32_t* counts) {
  Counts alone = Counts::at(counts);
  for (std::size_t i = 0; i < chains.exclusive_sets; ++i) {
    const ExclusiveWorkers& exclusive_sets = chains.exclusive[i];
    const TaskCounterView counter = *exclusive_sets.counter;
    for (std::uint32_t w = exclusive_sets.first_worker; w < exclusive_sets.last_worker; ++w)
      alone.add(count_tasks(counter, capacities + std::size_t{chains.exclusive_ids[w]} * kLanes));
  }
  for (std::size_t i = 0; i < chains.shared_lists; ++i) {
    const SharedList& shared_list = chains.shared_list[i];
    const Counts done = count_list(chains.lists, shared_list.list, capacities);
    const Visit* visits = chains.visits + shared_list.first_visit;
    const std::size_t count = visits_begun(done, visits, shared_list.last_visit - shared_list.first_visit);
    for (std::size_t v = 0; v < count; ++v) {
      const Visit visit = visits[v];
      const Counts reached = done.plus(-visit.offset);
      if (visit.slot == Visit::kAlone) {
        alone.add(reached.clamped(visit.length));
        continue;
      }
      std::int32_t* kept = prefix + std::size_t{visit.slot} * kLanes;
      Counts longest = Counts::at(kept);
      longest.raise_to(reached);
      longest.put(kept);
    }
  }
  alone.put(counts);
  for (std::size_t s = 0; s < chains.slots; ++s) {
    const Counts longest = Counts::at(prefix + s * kLanes).clamped(chains.slot[s].length);
    longest.put(prefix + s * kLanes);
    std::int32_t* sum = counts + std::size_t{chains.slot[s].size} * kLanes;
    Counts pieces = Counts::at(sum);
    pieces.add(longest);
    pieces.put(sum);
  }
}

}  // namespace

extern const LaneLoops COTERIE_LOOPS;
const LaneLoops COTERIE_LOOPS = {COTERIE_LOOPS_NAME, draw_uniforms, survivals_of, join_zones,     walk_queues,
                                 add_useful,         add_up,        ratios_to,    count_any,      run_chains,
                                 join_random_sets,   run_sets,      sum_series,   sum_deviations, find_cells};

}  // namespace coterie::sim
