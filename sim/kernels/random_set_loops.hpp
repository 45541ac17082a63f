#pragma once

// Random sets of chunks, for random_kernel. Part of lane_loops_body.hpp.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

/// An urn of `chunks` balls, some of them marked: how many marked ones are among those drawn one after the other and
/// kept. Where more are drawn than marked the two change places.
inline Words marked_drawn(const RandomSets& draw, Words worker, Words instance, Words drawn, Words marked) {
  const Words draws = drawn < marked ? drawn : marked;
  const Words before = drawn < marked ? marked : drawn;
  Words still_marked = before;
  Words left = Words{} + static_cast<std::uint64_t>(draw.chunks);
  Words step = {};
  for (std::uint64_t block = 0; any((Words)(step < draws)); ++block) {
    const Counters words = philox({Words{} + block, worker, instance, instance >> 32}, draw.key0, draw.key1);
    for (const Words word : {words.c0, words.c1, words.c2, words.c3}) {
      // Ball floor(u left) of those left, the marked ones in front. A comparison is ~0 where it holds.
      still_marked += (Words)((multiply(word, left) >> 32) < still_marked) & (Words)(step < draws);
      left -= 1;
      step += 1;
    }
  }
  return before - still_marked;
}

/// Workers and how many chunks each completes, in one word: who gets further comes later, of equals the first one.
constexpr std::uint64_t kWorkers = std::uint64_t{1} << 20;
inline Words ranked(Words done, std::size_t worker) { return done << 20 | (kWorkers - 1 - worker); }
inline Words worker_of(Words rank) { return kWorkers - 1 - (rank & (kWorkers - 1)); }

constexpr std::size_t kFurthest = 4;

/// Those of the workers that get furthest, the first of them first; 0 where there are fewer workers.
inline void find_furthest(const RandomSets& draw, const std::int32_t* sets, Words* furthest) {
  for (std::size_t i = 0; i < kFurthest; ++i) furthest[i] = Words{};
  for (std::size_t worker = 0; worker < draw.workers; ++worker) {
    Words rank = ranked(words_at(sets + worker * kLanes), worker);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kFurthest; ++i) {
      const Words before = furthest[i];
      furthest[i] = before < rank ? rank : before;
      rank = before < rank ? before : rank;
    }
  }
}

/// The order of the workers does not matter: the one that gets furthest has its chunks to itself and leaves few to
/// find; the next ones find most of those that are missing, and all others, one after the other, the rest.
void join_random_sets(const RandomSets& draw, const std::int32_t* sets, std::int32_t* completed) {
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    const Words instance = instances_from(draw.first_instance + lane);
    Words furthest[kFurthest];
    find_furthest(draw, sets + lane, furthest);
    Words missing = static_cast<std::uint64_t>(draw.chunks) - (furthest[0] >> 20);
    for (std::size_t i = 1; i < kFurthest; ++i)
      missing -= marked_drawn(draw, worker_of(furthest[i]), instance, furthest[i] >> 20, missing);
    for (std::size_t worker = 0; worker < draw.workers && any((Words)(missing > 0)); ++worker) {
      const Words done = words_at(sets + worker * kLanes + lane);
      const Words is_new = (Words)(ranked(done, worker) < furthest[kFurthest - 1]);
      missing -= marked_drawn(draw, Words{} + worker, instance, done & is_new, missing);
    }
    const HalfIntegers found = draw.chunks - __builtin_convertvector(missing, HalfIntegers);
    __builtin_memcpy(completed + lane, &found, sizeof found);
  }
}

}  // namespace
}  // namespace coterie::sim
