#pragma once

// Random sets of chunks, for random_kernel. Part of lane_loops_body.hpp.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

/// An urn of `chunks` balls, some of them marked: how many marked ones are among those drawn one after the other and
/// kept. Where more are drawn than marked the two change places.
inline Words marked_drawn(const RandomSets& draw, std::size_t worker, Words instance, Words drawn, Words marked) {
  const Words draws = drawn < marked ? drawn : marked;
  const Words before = drawn < marked ? marked : drawn;
  Words still_marked = before;
  Words left = Words{} + static_cast<std::uint64_t>(draw.chunks);
  Words step = {};
  for (std::uint64_t block = 0; any((Words)(step < draws)); ++block) {
    const Counters words = philox({Words{} + block, Words{} + worker, instance, instance >> 32}, draw.key0, draw.key1);
    for (const Words word : {words.c0, words.c1, words.c2, words.c3}) {
      // Ball floor(u left) of those left, the marked ones in front. A comparison is ~0 where it holds.
      still_marked += (Words)((multiply(word, left) >> 32) < still_marked) & (Words)(step < draws);
      left -= 1;
      step += 1;
    }
  }
  return before - still_marked;
}

/// The order of the workers does not matter: the first of those that get furthest has its chunks to itself and leaves
/// few to find; each of the others finds some of those that are missing.
void join_random_sets(const RandomSets& draw, const std::int32_t* sets, std::int32_t* completed) {
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    const Words instance = instances_from(draw.first_instance + lane);
    Words furthest = {};
    for (std::size_t worker = 0; worker < draw.workers; ++worker) {
      const Words done = words_at(sets + worker * kLanes + lane);
      furthest = furthest < done ? done : furthest;
    }
    Words missing = Words{} + static_cast<std::uint64_t>(draw.chunks) - furthest;
    Words passed = {};
    for (std::size_t worker = 0; worker < draw.workers && any((Words)(missing > 0)); ++worker) {
      Words done = words_at(sets + worker * kLanes + lane);
      const Words is_it = (Words)(done == furthest) & ~passed;
      passed |= is_it;
      done &= ~is_it;
      missing -= marked_drawn(draw, worker, instance, done, missing);
    }
    const HalfIntegers found = draw.chunks - __builtin_convertvector(missing, HalfIntegers);
    __builtin_memcpy(completed + lane, &found, sizeof found);
  }
}

}  // namespace
}  // namespace coterie::sim
