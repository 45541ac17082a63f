// The loops of LaneLoops, included by one source file for each instruction set, which defines COTERIE_LOOPS as the name
// of its instance. Everything is local to that file, and nothing of the standard library is used: an inline function
// compiled here for a newer processor could otherwise be picked by the linker for all of the program.
// (No include guard: this is a body, not a header.)

#include "sim/kernels/chain_loops.hpp"
#include "sim/kernels/informed_loops.hpp"
#include "sim/kernels/queue_loops.hpp"
#include "sim/kernels/random_set_loops.hpp"
#include "sim/kernels/row_loops.hpp"
#include "sim/kernels/set_loops.hpp"
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

}  // namespace

extern const LaneLoops COTERIE_LOOPS;
const LaneLoops COTERIE_LOOPS = {COTERIE_LOOPS_NAME, draw_uniforms,    survivals_of, join_zones, walk_queues,
                                 add_useful,         bound_informed,   add_up,       ratios_to,  count_all,
                                 run_chains,         join_random_sets, run_sets,     sum_series, sum_deviations,
                                 find_cells,         kColumns};

}  // namespace coterie::sim
