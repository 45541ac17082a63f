#pragma once

// How many tasks of its list a worker completes, in all lanes. Part of lane_loops_body.hpp.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

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
  Counts at_most(std::int32_t most) const {
    Counts within = *this;
    for (Integers& values : within.part) values = values < most ? values : Integers{} + most;
    return within;
  }
  Counts clamped(std::int32_t most) const {
    Counts within = at_most(most);
    for (Integers& values : within.part) values = values < 0 ? Integers{} : values;
    return within;
  }
};

/// trunc(capacity x per_time), at most `most`.
[[gnu::always_inline]] inline Counts guess_tasks(Reals per_time, Reals most, const double* capacity) {
  Counts done;
  for (std::size_t i = 0; i < Counts::kParts; ++i) {
    const Reals low = reals_at(capacity + 2 * i * kWidth) * per_time;
    const Reals high = reals_at(capacity + (2 * i + 1) * kWidth) * per_time;
    done.part[i] = joined(__builtin_convertvector(low < most ? low : most, HalfIntegers),
                          __builtin_convertvector(high < most ? high : most, HalfIntegers));
  }
  return done;
}

[[gnu::always_inline]] inline Counts guess_tasks(const TaskCounterView& counter, const double* capacity) {
  return guess_tasks(Reals{} + counter.per_time, Reals{} + counter.tasks, capacity);
}

/// How many finish times are within each capacity. Each of few is compared; in many the place is found by halves, the
/// time behind the last one being NaN.
#if defined(__AVX2__)
void search_tasks(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  constexpr std::int32_t kFew = 8 * kWidth;
  const auto tasks = static_cast<std::uint64_t>(counter.tasks);
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    const Reals capacities = reals_at(capacity + lane);
    Words found = {};
    if (counter.tasks <= kFew) {
      for (std::int32_t k = 0; k < counter.tasks; ++k) found -= (Words)(counter.finish[k] <= capacities);
    } else {
      for (std::uint64_t step = std::uint64_t{1} << (63 - __builtin_clzll(tasks)); step > 0; step /= 2) {
        const Words last = found + (step - 1);
        const Words task = last < tasks ? last : Words{} + tasks;
        found += (Words)(look_up(counter.finish, task) <= capacities) & step;
      }
    }
    const HalfIntegers halves = __builtin_convertvector(found, HalfIntegers);
    __builtin_memcpy(done + lane, &halves, sizeof halves);
  }
}

/// Finish times; of a list of few tasks they are at hand in registers.
inline Reals finish_of(const TaskCounterView& counter, Words task) {
#if defined(__AVX512F__)
  if (counter.tasks < static_cast<std::int32_t>(TaskCounterView::kPadded))
    return (Reals)_mm512_permutex2var_pd(_mm512_loadu_pd(counter.finish), (__m512i)task,
                                         _mm512_loadu_pd(counter.finish + kWidth));
#endif
  return look_up(counter.finish, task);
}

/// The steps up from a guess.
void correct_tasks(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    Words found = words_at(done + lane);
    for (std::int32_t i = 0; i < counter.corrections; ++i)
      found -= (Words)(finish_of(counter, found) <= reals_at(capacity + lane));
    const HalfIntegers halves = __builtin_convertvector(found, HalfIntegers);
    __builtin_memcpy(done + lane, &halves, sizeof halves);
  }
}
#else
void search_tasks(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::int32_t first = 0;
    for (std::int32_t count = counter.tasks; count > 0;) {
      const std::int32_t half = count / 2;
      const bool within = counter.finish[first + half] <= capacity[lane];
      first += within ? half + 1 : 0;
      count = within ? count - half - 1 : half;
    }
    done[lane] = first;
  }
}

void correct_tasks(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  for (std::int32_t i = 0; i < counter.corrections; ++i)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      done[lane] += counter.finish[done[lane]] <= capacity[lane] ? 1 : 0;
}
#endif

/// Where a guess is not enough.
[[gnu::noinline]] void look_up_tasks(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  if (counter.corrections < 0) return search_tasks(counter, capacity, done);
  std::int32_t guess[kLanes];
  guess_tasks(counter, capacity).put(guess);
  correct_tasks(counter, capacity, guess);
  __builtin_memcpy(done, guess, sizeof guess);
}

[[gnu::always_inline]] inline Counts count_tasks(const TaskCounterView& counter, const double* capacity) {
  if (counter.corrections == 0) return guess_tasks(counter, capacity);
  std::int32_t done[kLanes];
  look_up_tasks(counter, capacity, done);
  return Counts::at(done);
}

void count_all(const TaskCounterView& counter, const double* capacities, std::size_t workers, std::int32_t* done) {
  const TaskCounterView same = counter;
  for (std::size_t w = 0; w < workers; ++w)
    if (same.corrections == 0)
      guess_tasks(same, capacities + w * kLanes).put(done + w * kLanes);
    else
      look_up_tasks(counter, capacities + w * kLanes, done + w * kLanes);
}

/// The tasks of workers `first` .. `last` - 1 of a list that begins the common one: of the luckiest of them.
[[gnu::always_inline]] inline Counts tasks_in_common(const ListsView& lists, std::size_t list, std::uint32_t first,
                                                     std::uint32_t last) {
  const auto tasks_of = [&](std::uint32_t i) {
    return Counts::at(lists.common_tasks + std::size_t{lists.workers[i]} * kLanes);
  };
  Counts most = tasks_of(first);
  for (std::uint32_t i = first + 1; i < last; ++i) most.raise_to(tasks_of(i));
  return most.at_most(lists.counters[list]->tasks);
}

/// Tasks that the luckiest worker of a list completes.
[[gnu::always_inline]] inline Counts count_list(const ListsView& lists, std::size_t list, const double* capacities) {
  const std::uint32_t first = lists.first_worker[list];
  const std::uint32_t last = lists.first_worker[list + 1];
  if (lists.common_tasks != nullptr) return tasks_in_common(lists, list, first, last);
  const double* capacity = capacities + std::size_t{lists.workers[first]} * kLanes;
  if (last - first == 1) return count_tasks(*lists.counters[list], capacity);
  Reals greatest[kLanes / kWidth];
  __builtin_memcpy(greatest, capacity, sizeof greatest);
  for (std::uint32_t i = first + 1; i < last; ++i) {
    const double* other = capacities + std::size_t{lists.workers[i]} * kLanes;
    for (std::size_t group = 0; group < kLanes / kWidth; ++group) {
      const Reals values = reals_at(other + group * kWidth);
      greatest[group] = greatest[group] < values ? values : greatest[group];
    }
  }
  return count_tasks(*lists.counters[list], (const double*)greatest);
}

/// Of the lists ids[0] .. ids[count - 1]. In a row most have the same finish times and a worker each.
void count_lists(const ListsView& lists, const std::uint32_t* ids, std::size_t count, const double* capacities,
                 std::int32_t* done) {
  for (std::size_t i = 0; i < count;) {
    if (lists.common_tasks != nullptr || lists.alone[ids[i]] == ListsView::kNobody) {
      count_list(lists, ids[i], capacities).put(done + i * kLanes);
      ++i;
      continue;
    }
    const TaskCounterView* const counter = lists.counters[ids[i]];
    const Reals per_time = Reals{} + counter->per_time;
    const Reals most = Reals{} + counter->tasks;
    for (; i < count && lists.counters[ids[i]] == counter; ++i) {
      const std::uint32_t worker = lists.alone[ids[i]];
      if (worker == ListsView::kNobody) break;
      guess_tasks(per_time, most, capacities + std::size_t{worker} * kLanes).put(done + i * kLanes);
    }
  }
}

}  // namespace
}  // namespace coterie::sim
