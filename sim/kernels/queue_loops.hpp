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

/// The speed beside so many jobs, of which there are few as a rule.
inline Reals speed_of(const QueuesView& queues, Words jobs) {
#if defined(__AVX512F__)
  constexpr std::uint64_t kFew = 16;
  if (!any((Words)(jobs >= kFew)))
    return (Reals)_mm512_permutex2var_pd(_mm512_loadu_pd(queues.speed), (__m512i)jobs,
                                         _mm512_loadu_pd(queues.speed + 8));
#endif
  return look_up(queues.speed, jobs);
}

/// kWidth workers on their way to their interruptions.
struct Walkers {
  Reals time, work, interruption;
  Words jobs, block, worker, instance;

  /// The queue changes, or the worker is interrupted first; who is there stays there.
  void go_on(const QueuesView& queues, Reals wait, Words which) {
    const Changes change = changes_of(queues, jobs);
    const Reals next = time + wait * change.mean_time;
    const Reals end = next < interruption ? next : interruption;
    const Reals done = work + (end - time) * speed_of(queues, jobs);
    work = end > time ? done : work;
    interruption = work >= queues.enough ? end : interruption;
    time = end;
    jobs += (which & 0xffffffff) < change.arrival ? Words{} + 1 : ~Words{};
  }

  Words there() const { return (Words)(time == interruption); }
  Words lost(const QueuesView& queues) const { return (Words)(jobs >= queues.rows) | (Words)(block >= queues.blocks); }

  /// Where `anew`, those at these places of the arrays set out; nobody, at place `nobody`, is there at once.
  void start(const QueuesView& queues, const double* times, Words anew, Words place, std::uint64_t nobody) {
    const Words is_nobody = (Words)(place == nobody);
    const Words own_worker = queues.common ? Words{} : queues.first_worker + place / kLanes;
    const Reals own_time = (Reals)((Words)look_up(times, place & ~is_nobody) & ~is_nobody);
    time = (Reals)((Words)time & ~anew);
    work = (Reals)((Words)work & ~anew);
    interruption = anew != 0 ? own_time : interruption;
    jobs = anew != 0 ? Words{} + queues.initial : jobs;
    block &= ~anew;
    worker = anew != 0 ? own_worker : worker;
    instance = anew != 0 ? queues.first_instance + place % kLanes : instance;
  }
};

/// Two changes of each queue.
[[gnu::always_inline]] inline void go_on(const QueuesView& queues, Walkers* walkers) {
  Counters words[kGroups];
  Reals waits[kGroups][2];
#pragma GCC unroll 2
  for (std::size_t g = 0; g < kGroups; ++g)
    words[g] = philox({walkers[g].block, walkers[g].worker, walkers[g].instance, walkers[g].instance >> 32},
                      queues.key0, queues.key1);
#pragma GCC unroll 2
  for (std::size_t g = 0; g < kGroups; ++g) {
    waits[g][0] = to_exponentials(words[g].c0);
    waits[g][1] = to_exponentials(words[g].c2);
  }
#pragma GCC unroll 2
  for (std::size_t g = 0; g < kGroups; ++g) walkers[g].go_on(queues, waits[g][0], words[g].c1);
#pragma GCC unroll 2
  for (std::size_t g = 0; g < kGroups; ++g) {
    walkers[g].go_on(queues, waits[g][1], words[g].c3);
    walkers[g].block += 1;
  }
}

/// Each walker takes the next worker of all lanes when it, and a few others, have done with theirs.
void walk_queues(const QueuesView& queues, const double* times, double* work) {
  constexpr std::size_t kWalkers = kGroups * kWidth;
  constexpr std::size_t kTogether = kWalkers < 10 ? 1 : kWalkers / 5;
  const std::size_t nobody = queues.workers * kLanes;
  std::size_t next = 0;
  std::size_t walking = 0;
  std::uint64_t place[kWalkers];
  const auto take = [&](std::size_t i) {
    while (next < nobody && next % kLanes >= queues.lanes) ++next;
    place[i] = next < nobody ? next++ : nobody;
    walking += place[i] != nobody ? 1 : 0;
  };
  const auto start = [&](Walkers& walkers, std::size_t group, Words anew) {
    Words places;
    __builtin_memcpy(&places, place + group * kWidth, sizeof places);
    walkers.start(queues, times, anew, places, nobody);
  };
  Walkers walkers[kGroups] = {};
  for (std::size_t i = 0; i < kWalkers; ++i) take(i);
#pragma GCC unroll 2
  for (std::size_t g = 0; g < kGroups; ++g) start(walkers[g], g, ~Words{});
  while (walking > 0) {
    const std::size_t waiting = kWalkers - walking + (walking < kTogether ? walking : kTogether);
    Words there[kGroups];
    Words lost[kGroups];
    std::size_t arrived;
    do {
      go_on(queues, walkers);
      arrived = 0;
      Words any_lost = {};
#pragma GCC unroll 2
      for (std::size_t g = 0; g < kGroups; ++g) {
        there[g] = walkers[g].there();
        lost[g] = walkers[g].lost(queues);
        arrived += static_cast<std::size_t>(count_true(there[g]));
        any_lost |= lost[g];
      }
      if (any(any_lost)) break;
    } while (arrived < waiting);
#pragma GCC unroll 2
    for (std::size_t g = 0; g < kGroups; ++g) {
      const Words ended = there[g] | lost[g];
      if (!any(ended)) continue;
      for (std::size_t i = 0; i < kWidth; ++i) {
        if (ended[i] == 0) continue;
        std::size_t& at = place[g * kWidth + i];
        if (at != nobody) {
          work[at] = there[g][i] != 0 ? walkers[g].work[i] : __builtin_nan("");
          --walking;
        }
        take(g * kWidth + i);
      }
      start(walkers[g], g, ended);
    }
  }
}

}  // namespace
}  // namespace coterie::sim
