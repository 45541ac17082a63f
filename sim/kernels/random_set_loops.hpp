#pragma once

// Random sets of chunks, for random_kernel. Part of lane_loops_body.hpp.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

/// An urn of `chunks` balls, some of them marked: how many marked ones are among those drawn one after the other and
/// kept. Where more are drawn than marked the two change places. Two words are a fraction of 64 digits, of which each
/// ball takes as many as it needs: ball floor(u left) of those left, the marked ones in front, and u left - ball are
/// the digits of the next.
/// kCount vectors of lanes in turn, so that none waits for its own last step. What is left marked stays in `marked`.
template <std::size_t kCount>
[[gnu::always_inline]] inline void draw_marked(const RandomSets& draw, const Words* worker, const Words* instance,
                                               const Words* drawn, Words* marked) {
  const Words chunks = Words{} + static_cast<std::uint64_t>(draw.chunks);
  Words before[kCount];
  Words still_marked[kCount];
  Words at_end[kCount];
  Words draws_of_any = {};
#pragma GCC unroll 4
  for (std::size_t g = 0; g < kCount; ++g) {
    still_marked[g] = before[g] = drawn[g] < marked[g] ? marked[g] : drawn[g];
    const Words draws = drawn[g] < marked[g] ? drawn[g] : marked[g];
    at_end[g] = chunks - draws;
    draws_of_any = draws_of_any < draws ? draws : draws_of_any;
  }
  const std::uint64_t most = greatest(draws_of_any);
  Words left = chunks;
  std::uint64_t ball = 0;
  for (std::uint64_t block = 0; ball < most; ++block) {
    Words high[kCount];
    Words low[kCount];
    Words next_high[kCount];
    Words next_low[kCount];
#pragma GCC unroll 4
    for (std::size_t g = 0; g < kCount; ++g) {
      const Counters words = philox({Words{} + block, worker[g], instance[g], instance[g] >> 32}, draw.key0, draw.key1);
      high[g] = words.c0;
      low[g] = words.c1;
      next_high[g] = words.c2;
      next_low[g] = words.c3;
    }
    for (const bool second : {false, true}) {
#pragma GCC unroll 4
      for (std::size_t g = 0; second && g < kCount; ++g) {
        high[g] = next_high[g];
        low[g] = next_low[g];
      }
      for (const std::uint64_t end = most - ball < draw.balls ? most : ball + draw.balls; ball < end; ++ball) {
#pragma GCC unroll 4
        for (std::size_t g = 0; g < kCount; ++g) {
          low[g] = multiply(low[g], left);
          high[g] = multiply(high[g], left) + (low[g] >> 32);
          // Less is told by the sign. Nothing is less than the marked ones once all are drawn: a comparison is ~0.
          const Words ball_drawn = high[g] >> 32 | (Words)(left <= at_end[g]) >> 1;
          still_marked[g] += (Words)((SignedWords)(ball_drawn - still_marked[g]) >> 63);
        }
        left -= 1;
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t g = 0; g < kCount; ++g) marked[g] -= before[g] - still_marked[g];
}

constexpr std::size_t kFurthest = 4;

/// Those of the workers that get furthest, the first of them first, of equals the one of the lower number; they have 0
/// done where there are fewer workers.
struct Furthest {
  std::int32_t done[kFurthest][kLanes];
  std::int32_t worker[kFurthest][kLanes];
};

inline void load(const std::int32_t* values, Integers& ranks) { ranks = integers_at(values); }
inline void load(const std::int32_t* values, Words& ranks) { ranks = words_at(values); }
inline void store(Integers ranks, std::int32_t* values) { __builtin_memcpy(values, &ranks, sizeof ranks); }
inline void store(Words ranks, std::int32_t* values) {
  const HalfIntegers halves = __builtin_convertvector(ranks, HalfIntegers);
  __builtin_memcpy(values, &halves, sizeof halves);
}

/// By ranks, what is done and, in the last `bits` bits, the worker.
template <typename Ranks>
inline void rank_workers(const RandomSets& draw, const std::int32_t* sets, int bits, Furthest& furthest) {
  using Rank = decltype(Ranks{}[0] + 0);
  const Rank last = (Rank{1} << bits) - 1;
  for (std::size_t lane = 0; lane < kLanes; lane += sizeof(Ranks) / sizeof(Rank)) {
    Ranks greatest[kFurthest] = {};
    for (std::size_t worker = 0; worker < draw.workers; ++worker) {
      Ranks rank;
      load(sets + worker * kLanes + lane, rank);
      rank = (rank << bits) + (last - static_cast<Rank>(worker));
#pragma GCC unroll 4
      for (Ranks& kept : greatest) {
        const Ranks before = kept;
        kept = before < rank ? rank : before;
        rank = before < rank ? before : rank;
      }
    }
    for (std::size_t i = 0; i < kFurthest; ++i) {
      store(greatest[i] >> bits, furthest.done[i] + lane);
      store(last - (greatest[i] & last), furthest.worker[i] + lane);
    }
  }
}

inline void find_furthest(const RandomSets& draw, const std::int32_t* sets, Furthest& furthest) {
  const int bits = 64 - __builtin_clzll(draw.workers);
  if ((static_cast<std::uint64_t>(draw.chunks) + 1) << bits < std::uint64_t{1} << 31)
    rank_workers<Integers>(draw, sets, bits, furthest);
  else
    rank_workers<Words>(draw, sets, bits, furthest);
}

/// What is missing in one lane after all other workers than the furthest, from `next` on, who draw one after the other.
/// kWidth of them try at once; from the first who finds any on, the next try again for what is left.
inline std::uint64_t missing_after_others(const RandomSets& draw, const std::int32_t* sets, const Furthest& furthest,
                                          std::size_t next, std::size_t lane, std::uint64_t missing) {
  const Words instance = Words{} + (draw.first_instance + lane);
  for (; next < draw.workers && missing > 0; next += kWidth) {
    std::uint64_t done[kWidth] = {};
    const Words worker = instances_from(next);
    for (std::size_t i = 0; i < kWidth && next + i < draw.workers; ++i)
      done[i] = static_cast<std::uint64_t>(sets[(next + i) * kLanes + lane]);
    for (const auto& place : furthest.worker) {
      const std::size_t before = static_cast<std::size_t>(place[lane]) - next;
      if (before < kWidth) done[before] = 0;
    }
    for (std::size_t i = 0; i < kWidth && missing > 0; ++i) {
      Words drawn;
      __builtin_memcpy(&drawn, done, sizeof drawn);
      Words marked = Words{} + missing;
      draw_marked<1>(draw, &worker, &instance, &drawn, &marked);
      for (; i < kWidth && marked[i] == missing; ++i) done[i] = 0;
      if (i == kWidth) break;
      missing = marked[i];
      done[i] = 0;
    }
  }
  return missing;
}

/// kGroups vectors of lanes from `lane` on. The order of the workers does not matter: the one that gets furthest has
/// its chunks to itself and leaves few to find; the next ones find most of those that are missing, and all others, one
/// after the other, the rest.
inline void join_in_lanes(const RandomSets& draw, const std::int32_t* sets, const Furthest& furthest, std::size_t lane,
                          std::int32_t* completed) {
  constexpr std::uint64_t kFew = 4;
  Words missing[kGroups];
  Words instance[kGroups];
  Words worker[kGroups];
  Words done[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) {
    missing[g] = static_cast<std::uint64_t>(draw.chunks) - words_at(furthest.done[0] + lane + g * kWidth);
    instance[g] = instances_from(draw.first_instance + lane + g * kWidth);
  }
  for (std::size_t i = 1; i < kFurthest; ++i) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      worker[g] = words_at(furthest.worker[i] + lane + g * kWidth);
      done[g] = words_at(furthest.done[i] + lane + g * kWidth);
    }
    draw_marked<kGroups>(draw, worker, instance, done, missing);
  }
  std::uint64_t left[kGroups * kWidth];
  std::size_t next = 0;
  for (;; ++next) {
    __builtin_memcpy(left, missing, sizeof left);
    std::uint64_t sum = 0;
    for (const std::uint64_t number : left) sum += number;
    if (sum <= kFew || next == draw.workers) break;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const Words last_done = words_at(furthest.done[kFurthest - 1] + lane + g * kWidth);
      const Words last_worker = words_at(furthest.worker[kFurthest - 1] + lane + g * kWidth);
      worker[g] = Words{} + next;
      done[g] = words_at(sets + next * kLanes + lane + g * kWidth);
      done[g] &= (Words)(done[g] < last_done) | ((Words)(done[g] == last_done) & (Words)(worker[g] > last_worker));
    }
    draw_marked<kGroups>(draw, worker, instance, done, missing);
  }
  for (std::size_t i = 0; i < kGroups * kWidth; ++i) {
    if (left[i] > 0) left[i] = missing_after_others(draw, sets, furthest, next, lane + i, left[i]);
    completed[lane + i] = draw.chunks - static_cast<std::int32_t>(left[i]);
  }
}

void join_random_sets(const RandomSets& draw, const std::int32_t* sets, std::int32_t* completed) {
  static_assert(kLanes % (kGroups * kWidth) == 0);
  Furthest furthest;
  find_furthest(draw, sets, furthest);
  for (std::size_t lane = 0; lane < kLanes; lane += kGroups * kWidth)
    join_in_lanes(draw, sets, furthest, lane, completed);
}

}  // namespace
}  // namespace coterie::sim
