// The loops of LaneLoops, included by one source file for each instruction set, which defines COTERIE_LOOPS as the name
// of its instance. Everything is local to that file, and nothing of the standard library is used: an inline function
// compiled here for a newer processor could otherwise be picked by the linker for all of the program.
// (No include guard: this is a body, not a header.)

#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kWidth = 8;
#elif defined(__AVX2__)
constexpr std::size_t kWidth = 4;
#else
constexpr std::size_t kWidth = 2;
#endif
typedef std::uint64_t Words __attribute__((vector_size(8 * kWidth)));  // 32-bit words in 64-bit lanes
typedef double Reals __attribute__((vector_size(8 * kWidth)));

/// Product of the low halves; the high halves may hold anything.
inline Words multiply(Words a, Words b) {
#if defined(__AVX512F__)
  return (Words)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (Words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (Words)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
  return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}

/// (word + 1/2) / 2^32; the word becomes the last digits of 2^52.
inline Reals to_uniforms(Words word) {
  const Words digits = (word & 0xffffffff) | 0x4330000000000000;
  return ((Reals)digits - 0x1p52 + 0.5) * 0x1p-32;
}

/// Philox4x32-10 [Salmon et al., SC 2011] at counter (block, ~0, instance low, instance high).
void draw_uniforms(std::uint32_t key0, std::uint32_t key1, std::uint64_t first_instance, std::size_t workers,
                   double* uniforms) {
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    Words instance = Words{} + first_instance + lane;
    for (std::size_t i = 0; i < kWidth; ++i) instance[i] += i;
    for (std::size_t worker = 0; worker < workers; worker += 4) {
      Words c0 = Words{} + worker / 4;
      Words c1 = Words{} + 0xffffffff;
      Words c2 = instance;
      Words c3 = instance >> 32;
      std::uint32_t k0 = key0;
      std::uint32_t k1 = key1;
#pragma GCC unroll 10
      for (int round = 0; round < 10; ++round) {
        const Words product0 = multiply(c0, Words{} + 0xD2511F53);
        const Words product1 = multiply(c2, Words{} + 0xCD9E8D57);
        c0 = (product1 >> 32) ^ c1 ^ (Words{} + k0);
        c1 = product1;
        c2 = (product0 >> 32) ^ c3 ^ (Words{} + k1);
        c3 = product0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
      }
      const Reals draws[4] = {to_uniforms(c0), to_uniforms(c1), to_uniforms(c2), to_uniforms(c3)};
      for (std::size_t i = 0; i < 4; ++i)
        __builtin_memcpy(uniforms + (worker + i) * kLanes + lane, &draws[i], sizeof draws[i]);
    }
  }
}

void omniscient_work(const double* capacities, std::size_t workers, double work, double startup_cost,
                     double* reference) {
  double sum[kLanes] = {};
  for (std::size_t w = 0; w < workers; ++w)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double done = capacities[w * kLanes + lane] - startup_cost;
      sum[lane] += done > 0 ? done : 0;
    }
  for (std::size_t lane = 0; lane < kLanes; ++lane) reference[lane] = sum[lane] < work ? sum[lane] : work;
}

void ratios_to(const double* work, const double* reference, double* ratio) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double quotient = work[lane] / reference[lane];
    ratio[lane] = reference[lane] > 0 && quotient < 1 ? quotient : 1;
  }
}

void search_tasks(const ClockView& clock, const double* capacity, std::int32_t* done) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::int32_t first = 0;
    for (std::int32_t count = clock.tasks; count > 0;) {
      const std::int32_t half = count / 2;
      const bool within = clock.finish[first + half] <= capacity[lane];
      first += within ? half + 1 : 0;
      count = within ? count - half - 1 : half;
    }
    done[lane] = first;
  }
}

inline void count_tasks(const ClockView& clock, const double* capacity, std::int32_t* done) {
  if (clock.corrections < 0) return search_tasks(clock, capacity, done);
  const double most = clock.tasks;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double steps = capacity[lane] * clock.per_time;
    done[lane] = static_cast<std::int32_t>(steps < most ? steps : most);
  }
  for (std::int32_t i = 0; i < clock.corrections; ++i)
    for (std::size_t lane = 0; lane < kLanes; ++lane) done[lane] += clock.finish[done[lane]] <= capacity[lane] ? 1 : 0;
}

void count_any(const ClockView& clock, const double* capacity, std::int32_t* done) {
  count_tasks(clock, capacity, done);
}

/// Tasks that the luckiest worker of a list completes.
inline void count_list(const ListsView& lists, std::size_t list, const double* capacities, std::int32_t* done) {
  const std::uint32_t first = lists.first_worker[list];
  const std::uint32_t last = lists.first_worker[list + 1];
  const double* capacity = capacities + std::size_t{lists.workers[first]} * kLanes;
  if (last - first == 1) return count_tasks(*lists.clocks[list], capacity, done);
  double greatest[kLanes];
  __builtin_memcpy(greatest, capacity, sizeof greatest);
  for (std::uint32_t i = first + 1; i < last; ++i) {
    capacity = capacities + std::size_t{lists.workers[i]} * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      greatest[lane] = greatest[lane] < capacity[lane] ? capacity[lane] : greatest[lane];
  }
  count_tasks(*lists.clocks[list], greatest, done);
}

inline std::int32_t clamp(std::int32_t value, std::int32_t most) {
  return value < 0 ? 0 : (value < most ? value : most);
}

void run_chains(const ChainsView& chains, const double* capacities, std::int32_t* prefix, std::int32_t* counts) {
  alignas(64) std::int32_t done[kLanes];
  for (std::size_t list = 0; list < chains.lists.lists; ++list) {
    count_list(chains.lists, list, capacities, done);
    std::int32_t most = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) most = most < done[lane] ? done[lane] : most;
    for (std::uint32_t v = chains.first_visit[list]; v < chains.first_visit[list + 1]; ++v) {
      const Visit visit = chains.visits[v];
      if (visit.offset >= most) break;
      if (visit.slot == Visit::kAlone) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          counts[lane] += clamp(done[lane] - visit.offset, visit.length);
        continue;
      }
      std::int32_t* longest = prefix + std::size_t{visit.slot} * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::int32_t length = done[lane] - visit.offset;
        longest[lane] = longest[lane] < length ? length : longest[lane];
      }
    }
  }
  for (std::size_t s = 0; s < chains.slots; ++s) {
    std::int32_t* longest = prefix + s * kLanes;
    std::int32_t* count = counts + std::size_t{chains.chain[s].size} * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      longest[lane] = clamp(longest[lane], chains.chain[s].length);
      count[lane] += longest[lane];
    }
  }
}

inline std::int32_t ones(std::uint64_t word) {
#ifdef __POPCNT__
  return __builtin_popcountll(word);
#else
  word -= (word >> 1) & 0x5555555555555555;
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::int32_t>((word * 0x0101010101010101) >> 56);
#endif
}

/// Rows of kWords words, known while compiling; 0: any number.
template <std::size_t kWords>
void join_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined) {
  const std::size_t words = kWords > 0 ? kWords : sets.words;
  alignas(64) std::int32_t done[kLanes];
  for (std::size_t list = sets.first_list; list < sets.last_list; ++list) {
    count_list(sets.lists, list, capacities, done);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t* row = sets.tables[list] + static_cast<std::size_t>(done[lane]) * words;
      std::uint64_t* set = joined + lane * words;
      for (std::size_t word = 0; word < words; ++word) set[word] |= row[word];
    }
  }
}

void run_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined, std::int32_t* pieces) {
  switch (sets.words) {
    case 1:
      join_sets<1>(sets, capacities, joined);
      break;
    case 2:
      join_sets<2>(sets, capacities, joined);
      break;
    case 3:
      join_sets<3>(sets, capacities, joined);
      break;
    case 4:
      join_sets<4>(sets, capacities, joined);
      break;
    case 8:
      join_sets<8>(sets, capacities, joined);
      break;
    default:
      join_sets<0>(sets, capacities, joined);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::int32_t sum = 0;
    for (std::size_t word = 0; word < sets.words; ++word) sum += ones(joined[lane * sets.words + word]);
    pieces[lane] = sum;
  }
}

}  // namespace

extern const LaneLoops COTERIE_LOOPS;
const LaneLoops COTERIE_LOOPS = {COTERIE_LOOPS_NAME, draw_uniforms, omniscient_work, ratios_to,
                                 count_any,          run_chains,    run_sets};

}  // namespace coterie::sim
