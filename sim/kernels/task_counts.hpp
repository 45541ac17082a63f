#pragma once

// How many tasks of its list a worker completes, in all lanes. Part of lane_loops_body.hpp.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

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

[[gnu::always_inline]] inline Counts guess_tasks(const TaskCounterView& counter, const double* capacity) {
  Counts done;
  const Reals most = Reals{} + counter.tasks;
  for (std::size_t i = 0; i < Counts::kParts; ++i) {
    const Reals low = reals_at(capacity + 2 * i * kWidth) * counter.per_time;
    const Reals high = reals_at(capacity + (2 * i + 1) * kWidth) * counter.per_time;
    done.part[i] = joined(__builtin_convertvector(low < most ? low : most, HalfIntegers),
                          __builtin_convertvector(high < most ? high : most, HalfIntegers));
  }
  return done;
}

/// Where a guess is not enough.
[[gnu::noinline]] void look_up_tasks(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  if (counter.corrections < 0) return search_tasks(counter, capacity, done);
  std::int32_t guess[kLanes];
  guess_tasks(counter, capacity).put(guess);
  for (std::int32_t i = 0; i < counter.corrections; ++i)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      guess[lane] += counter.finish[guess[lane]] <= capacity[lane] ? 1 : 0;
  __builtin_memcpy(done, guess, sizeof guess);
}

[[gnu::always_inline]] inline Counts count_tasks(const TaskCounterView& counter, const double* capacity) {
  if (counter.corrections == 0) return guess_tasks(counter, capacity);
  std::int32_t done[kLanes];
  look_up_tasks(counter, capacity, done);
  return Counts::at(done);
}

void count_any(const TaskCounterView& counter, const double* capacity, std::int32_t* done) {
  count_tasks(counter, capacity).put(done);
}

/// Tasks that the luckiest worker of a list completes.
[[gnu::always_inline]] inline Counts count_list(const ListsView& lists, std::size_t list, const double* capacities) {
  const std::uint32_t first = lists.first_worker[list];
  const std::uint32_t last = lists.first_worker[list + 1];
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

}  // namespace
}  // namespace coterie::sim
