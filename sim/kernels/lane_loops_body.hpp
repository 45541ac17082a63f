// The loops of LaneLoops, included by one source file for each instruction set, which defines COTERIE_LOOPS as the name
// of its instance. Everything is local to that file, and nothing of the standard library is used: an inline function
// compiled here for a newer processor could otherwise be picked by the linker for all of the program.
// (No include guard: this is a body, not a header.)

#include "sim/kernels/queue_loops.hpp"
#include "sim/kernels/random_set_loops.hpp"

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

/// A whole number a lane, in registers.
struct Counts {
  static constexpr std::size_t kParts = kLanes / (2 * kWidth);
  Integers part[kParts];

  static Counts at(const std::int32_t* values) {
    Counts counts;
    for (std::size_t i = 0; i < kParts; ++i)
      __builtin_memcpy(&counts.part[i], values + i * 2 * kWidth, sizeof(Integers));
    return counts;
  }
  void put(std::int32_t* values) const {
    for (std::size_t i = 0; i < kParts; ++i) __builtin_memcpy(values + i * 2 * kWidth, &part[i], sizeof(Integers));
  }
  void add(const Counts& other) {
    for (std::size_t i = 0; i < kParts; ++i) part[i] += other.part[i];
  }
  void raise_to(const Counts& other) {
    for (std::size_t i = 0; i < kParts; ++i) part[i] = part[i] < other.part[i] ? other.part[i] : part[i];
  }
  Counts plus(std::int32_t number) const {
    Counts sum = *this;
    for (Integers& values : sum.part) values += number;
    return sum;
  }
  Counts times(std::int32_t number) const {
    Counts product = *this;
    for (Integers& values : product.part) values *= number;
    return product;
  }
  Counts clamped(std::int32_t most) const {
    Counts within = *this;
    for (Integers& values : within.part) {
      values = values < most ? values : Integers{} + most;
      values = values < 0 ? Integers{} : values;
    }
    return within;
  }
};

[[gnu::always_inline]] inline Counts count_tasks(const ClockView& clock, const double* capacity) {
  Counts done;
  if (clock.corrections < 0) {
    std::int32_t found[kLanes];
    search_tasks(clock, capacity, found);
    return Counts::at(found);
  }
  const Reals most = Reals{} + clock.tasks;
  for (std::size_t i = 0; i < Counts::kParts; ++i) {
    Reals steps[2];
    __builtin_memcpy(steps, capacity + 2 * i * kWidth, sizeof steps);
    const Reals low = steps[0] * clock.per_time;
    const Reals high = steps[1] * clock.per_time;
    done.part[i] = joined(__builtin_convertvector(low < most ? low : most, HalfIntegers),
                          __builtin_convertvector(high < most ? high : most, HalfIntegers));
  }
  if (clock.corrections == 0) return done;
  std::int32_t guess[kLanes];
  done.put(guess);
  for (std::int32_t i = 0; i < clock.corrections; ++i)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      guess[lane] += clock.finish[guess[lane]] <= capacity[lane] ? 1 : 0;
  return Counts::at(guess);
}

void count_any(const ClockView& clock, const double* capacity, std::int32_t* done) {
  count_tasks(clock, capacity).put(done);
}

/// Tasks that the luckiest worker of a list completes.
[[gnu::always_inline]] inline Counts count_list(const ListsView& lists, std::size_t list, const double* capacities) {
  const std::uint32_t first = lists.first_worker[list];
  const std::uint32_t last = lists.first_worker[list + 1];
  const double* capacity = capacities + std::size_t{lists.workers[first]} * kLanes;
  if (last - first == 1) return count_tasks(*lists.clocks[list], capacity);
  Reals greatest[kLanes / kWidth];
  __builtin_memcpy(greatest, capacity, sizeof greatest);
  for (std::uint32_t i = first + 1; i < last; ++i) {
    const double* other = capacities + std::size_t{lists.workers[i]} * kLanes;
    for (std::size_t group = 0; group < kLanes / kWidth; ++group) {
      Reals values;
      __builtin_memcpy(&values, other + group * kWidth, sizeof values);
      greatest[group] = greatest[group] < values ? values : greatest[group];
    }
  }
  return count_tasks(*lists.clocks[list], (const double*)greatest);
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
  for (std::size_t list = 0; list < chains.lists.lists; ++list) {
    const Counts done = count_list(chains.lists, list, capacities);
    const Visit* visits = chains.visits + chains.first_visit[list];
    const std::size_t count = visits_begun(done, visits, chains.first_visit[list + 1] - chains.first_visit[list]);
    for (std::size_t v = 0; v < count; ++v) {
      const Visit visit = visits[v];
      if (visit.slot == Visit::kAlone) {
        const bool whole = visit.offset == 0 && visit.length >= chains.lists.clocks[list]->tasks;
        alone.add(whole ? done : done.plus(-visit.offset).clamped(visit.length));
        continue;
      }
      std::int32_t* kept = prefix + std::size_t{visit.slot} * kLanes;
      Counts longest = Counts::at(kept);
      longest.raise_to(done.plus(-visit.offset));
      longest.put(kept);
    }
  }
  alone.put(counts);
  for (std::size_t s = 0; s < chains.slots; ++s) {
    const Counts longest = Counts::at(prefix + s * kLanes).clamped(chains.chain[s].length);
    longest.put(prefix + s * kLanes);
    std::int32_t* sum = counts + std::size_t{chains.chain[s].size} * kLanes;
    Counts pieces = Counts::at(sum);
    pieces.add(longest);
    pieces.put(sum);
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

typedef std::uint64_t TwoWords __attribute__((vector_size(16)));
typedef std::uint64_t FourWords __attribute__((vector_size(32)));
typedef std::uint64_t EightWords __attribute__((vector_size(64)));

/// A few lists at a time: at which word their rows begin, for all lanes, then lane by lane their union.
template <typename Row>
void join_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined) {
  constexpr std::size_t kWords = sizeof(Row) / sizeof(std::uint64_t);
  constexpr std::size_t kLists = 8;
  alignas(64) std::int32_t begin[kLists][kLanes];
  for (std::size_t first = sets.first_list; first < sets.last_list; first += kLists) {
    const std::size_t lists = sets.last_list - first < kLists ? sets.last_list - first : kLists;
    for (std::size_t i = 0; i < lists; ++i)
      count_list(sets.lists, first + i, capacities).plus(sets.first_row[first + i]).times(kWords).put(begin[i]);
    for (std::size_t i = lists; i < kLists; ++i)
      __builtin_memcpy(begin[i], begin[0], sizeof begin[0]);  // no harm in twice
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      Row set;
      __builtin_memcpy(&set, joined + lane * kWords, sizeof set);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kLists; ++i) {
        Row done;
        __builtin_memcpy(&done, sets.rows + static_cast<std::uint32_t>(begin[i][lane]), sizeof done);
        set |= done;
      }
      __builtin_memcpy(joined + lane * kWords, &set, sizeof set);
    }
  }
}

/// Rows of many words, list by list.
void join_long_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined) {
  alignas(64) std::int32_t done[kLanes];
  for (std::size_t list = sets.first_list; list < sets.last_list; ++list) {
    count_list(sets.lists, list, capacities).put(done);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t* row = sets.rows + static_cast<std::size_t>(sets.first_row[list] + done[lane]) * sets.words;
      std::uint64_t* set = joined + lane * sets.words;
      for (std::size_t word = 0; word < sets.words; ++word) set[word] |= row[word];
    }
  }
}

void run_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined, std::int32_t* pieces) {
  switch (sets.words) {
    case 1:
      join_sets<std::uint64_t>(sets, capacities, joined);
      break;
    case 2:
      join_sets<TwoWords>(sets, capacities, joined);
      break;
    case 4:
      join_sets<FourWords>(sets, capacities, joined);
      break;
    case 8:
      join_sets<EightWords>(sets, capacities, joined);
      break;
    default:
      join_long_sets(sets, capacities, joined);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::int32_t sum = 0;
    for (std::size_t word = 0; word < sets.words; ++word) sum += ones(joined[lane * sets.words + word]);
    pieces[lane] = sum;
  }
}

}  // namespace

extern const LaneLoops COTERIE_LOOPS;
const LaneLoops COTERIE_LOOPS = {COTERIE_LOOPS_NAME, draw_uniforms, walk_queues, add_useful,       add_up,
                                 ratios_to,          count_any,     run_chains,  join_random_sets, run_sets};

}  // namespace coterie::sim
