#pragma once

// M/M/1 queues beside workers, for background. Part of lane_loops_body.hpp.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

/// Of whole numbers below 2^52.
inline Reals real_of(Words small) {
#ifdef __AVX512DQ__
  return __builtin_convertvector(small, Reals);
#else
  return (Reals)(small | 0x4330000000000000) - 0x1p52;
#endif
}

/// core's to_exponential, operation by operation.
inline Reals to_exponentials(Words word) {
  constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  const Words odd = (Words)(2 * real_of(word & 0xffffffff) + 1);
  const Words power = (odd - kRootHalf) >> 52;
  const Reals m = (Reals)(odd - (power << 52));
  const Reals s = (m - 1) / (m + 1);
  const Reals square = s * s;
  Reals series = Reals{} + 1.0 / 15;
#pragma GCC unroll 7
  for (int term = 13; term >= 1; term -= 2) series = series * square + 1.0 / term;
  return (33 - real_of(power)) * kLn2 - 2 * s * series;
}

inline Reals look_up(const double* table, Words row) {
#if defined(__AVX512F__)
  return (Reals)_mm512_i64gather_pd((__m512i)row, table, 8);
#elif defined(__AVX2__)
  return (Reals)_mm256_i64gather_pd(table, (__m256i)row, 8);
#else
  Reals values;
  for (std::size_t i = 0; i < kWidth; ++i) values[i] = table[row[i]];
  return values;
#endif
}

/// What comes next in queues of so many jobs.
struct Changes {
  Reals mean_time;
  Words arrival;
};

inline Changes changes_of(const QueuesView& queues, Words jobs) {
  if (!queues.two_rates) return {look_up(queues.mean_time, jobs), (Words)look_up((const double*)queues.arrival, jobs)};
  const Reals idle = Reals{} + queues.mean_time[0];
  const Reals busy = Reals{} + queues.mean_time[1];
  const Words always = Words{} + queues.arrival[0];
  const Words sometimes = Words{} + queues.arrival[1];
  return {jobs > 0 ? busy : idle, jobs > 0 ? sometimes : always};
}

/// kWidth workers on their way to their interruptions.
struct Walkers {
  Reals time, work, interruption;
  Words jobs, block, worker, instance;
  std::size_t place[kWidth];  // of each in the arrays

  /// The queue changes, or the worker is interrupted first; who is there stays there.
  void go_on(const QueuesView& queues, Words when, Words which) {
    const Changes change = changes_of(queues, jobs);
    const Reals next = time + to_exponentials(when) * change.mean_time;
    const Reals end = next < interruption ? next : interruption;
    const Reals done = work + (end - time) * look_up(queues.speed, jobs);
    work = end > time ? done : work;
    interruption = work >= queues.enough ? end : interruption;
    time = end;
    jobs += (which & 0xffffffff) < change.arrival ? Words{} + 1 : ~Words{};
  }
};

/// Each walker takes the next worker of all lanes when it has done with one.
void walk_queues(const QueuesView& queues, const double* times, double* work) {
  constexpr std::size_t kNobody = ~std::size_t{0};
  const std::size_t places = queues.workers * kLanes;
  std::size_t next = 0;
  std::size_t walking = 0;
  Walkers walkers = {};
  const auto start = [&](std::size_t i) {
    while (next < places && next % kLanes >= queues.lanes) ++next;
    const std::size_t place = next < places ? next++ : kNobody;
    walking += place != kNobody ? 1 : 0;
    walkers.place[i] = place;
    walkers.time[i] = 0;
    walkers.work[i] = 0;
    walkers.interruption[i] = place != kNobody ? times[place] : 0;
    walkers.jobs[i] = queues.initial;
    walkers.block[i] = 0;
    walkers.worker[i] = queues.common ? 0 : queues.first_worker + place / kLanes;
    walkers.instance[i] = queues.first_instance + place % kLanes;
  };
  for (std::size_t i = 0; i < kWidth; ++i) start(i);
  while (walking > 0) {
    const Counters words =
        philox({walkers.block, walkers.worker, walkers.instance, walkers.instance >> 32}, queues.key0, queues.key1);
    walkers.go_on(queues, words.c0, words.c1);
    walkers.go_on(queues, words.c2, words.c3);
    walkers.block += 1;
    const Words there = (Words)(walkers.time == walkers.interruption);
    const Words lost = (Words)(walkers.jobs >= queues.rows) | (Words)(walkers.block >= queues.blocks);
    if (!any(there | lost)) continue;
    for (std::size_t i = 0; i < kWidth; ++i) {
      if (there[i] == 0 && lost[i] == 0) continue;
      if (walkers.place[i] != kNobody) {
        work[walkers.place[i]] = there[i] != 0 ? walkers.work[i] : __builtin_nan("");
        --walking;
      }
      start(i);
    }
  }
}

}  // namespace
}  // namespace coterie::sim
