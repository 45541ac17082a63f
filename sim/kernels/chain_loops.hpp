#pragma once

// The longest prefixes of chains. Part of lane_loops_body.hpp.

#include "sim/kernels/task_counts.hpp"

namespace coterie::sim {
namespace {

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

/// How far the list that gets furthest runs beyond the head of each segment, one after the other. Around a closed ring
/// twice: first to know how far lists run beyond its end. kPlain: a list begins at each segment, and none has a slot.
template <bool kPlain>
void run_ring(const ChainsView& chains, const Ring& ring, const double* capacities, std::int32_t* prefix, Counts& alone,
              std::int32_t* done) {
  const Segment* const first = chains.segments + ring.first_segment;
  const Segment* const last = chains.segments + ring.last_segment;
  count_lists(chains.lists, chains.ring_lists + first->first_list, (last - 1)->last_list - first->first_list,
              capacities, done);
  constexpr std::size_t kTogether = Counts::kParts < 4 ? Counts::kParts : 4;  // parts that stay in registers
  for (std::size_t part = 0; part < Counts::kParts; part += kTogether) {
    const std::size_t lane = part * 2 * kWidth;
    Integers ahead[kTogether] = {};
    Integers sum[kTogether] = {};
    const std::int32_t* next = done + lane;
    const auto raise = [&](const Segment& segment) {
      const std::uint32_t lists = kPlain ? 1 : segment.last_list - segment.first_list;
      for (std::uint32_t list = 0; list < lists; ++list, next += kLanes)
#pragma GCC unroll 4
        for (std::size_t i = 0; i < kTogether; ++i) {
          const Integers reached = integers_at(next + i * 2 * kWidth);
          ahead[i] = ahead[i] < reached ? reached : ahead[i];
        }
    };
    for (const Segment* segment = first; ring.closed && segment < last; ++segment) {
      raise(*segment);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kTogether; ++i) ahead[i] -= segment->length;
    }
    next = done + lane;
    for (const Segment* segment = first; segment < last; ++segment) {
      raise(*segment);
      const Integers length = Integers{} + segment->length;
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kTogether; ++i) {
        const Integers covered = ahead[i] < length ? ahead[i] : length;
        ahead[i] -= length;
        if (kPlain || segment->slot == Visit::kAlone)
          sum[i] += covered;
        else
          __builtin_memcpy(prefix + std::size_t{segment->slot} * kLanes + lane + i * 2 * kWidth, &covered,
                           sizeof covered);
      }
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTogether; ++i) alone.part[part + i] += sum[i];
  }
}

void run_chains(const ChainsView& chains, const double* capacities, std::int32_t* prefix, std::int32_t* counts,
                std::int32_t* done_by_list) {
  Counts alone = Counts::at(counts);
  for (std::size_t i = 0; i < chains.exclusive_sets; ++i) {
    const ExclusiveWorkers& exclusive_sets = chains.exclusive[i];
    const TaskCounterView counter = *exclusive_sets.counter;
    for (std::uint32_t w = exclusive_sets.first_worker; w < exclusive_sets.last_worker; ++w) {
      const std::size_t place = std::size_t{chains.exclusive_ids[w]} * kLanes;
      alone.add(chains.lists.common_tasks != nullptr
                    ? Counts::at(chains.lists.common_tasks + place).at_most(counter.tasks)
                    : count_tasks(counter, capacities + place));
    }
  }
  for (std::size_t i = 0; i < chains.rings; ++i)
    if (const Ring& ring = chains.ring[i]; ring.plain)
      run_ring<true>(chains, ring, capacities, prefix, alone, done_by_list);
    else
      run_ring<false>(chains, ring, capacities, prefix, alone, done_by_list);
  for (std::size_t i = 0; i < chains.shared_lists; ++i) {
    const SharedList& shared_list = chains.shared_list[i];
    const Counts done = count_list(chains.lists, shared_list.list, capacities);
    const Visit* visits = chains.visits + shared_list.first_visit;
    const std::size_t count = visits_begun(done, visits, shared_list.last_visit - shared_list.first_visit);
    for (std::size_t v = 0; v < count; ++v) {
      const Visit visit = visits[v];
      const Counts begun = done.plus(-visit.offset);
      if (visit.slot == Visit::kAlone) {
        alone.add(begun.clamped(visit.length));
        continue;
      }
      std::int32_t* kept = prefix + std::size_t{visit.slot} * kLanes;
      Counts longest = Counts::at(kept);
      longest.raise_to(begun);
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
}  // namespace coterie::sim
