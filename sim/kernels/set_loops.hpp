#pragma once

// Sets of pieces, joined by OR and counted. Part of lane_loops_body.hpp.

#include "sim/kernels/task_counts.hpp"

namespace coterie::sim {
namespace {

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

/// kLists lists from `first` on: at which word their rows begin, for all lanes, then lane by lane their union.
template <typename Row, std::size_t kLists>
void join_lists(const SetsView& sets, std::size_t first, const std::uint64_t* rows, const double* capacities,
                std::uint64_t* joined) {
  constexpr std::size_t kWords = sizeof(Row) / sizeof(std::uint64_t);
  alignas(64) std::int32_t begin[kLists][kLanes];
  for (std::size_t i = 0; i < kLists; ++i)
    count_list(sets.lists, first + i, capacities).plus(sets.first_row[first + i]).times(kWords).put(begin[i]);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    Row set;
    __builtin_memcpy(&set, joined + lane * kWords, sizeof set);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLists; ++i) {
      Row done;
      __builtin_memcpy(&done, rows + static_cast<std::uint32_t>(begin[i][lane]), sizeof done);
      set |= done;
    }
    __builtin_memcpy(joined + lane * kWords, &set, sizeof set);
  }
}

/// Lists `first` .. `last` - 1, kLists at a time, then half as many, ...
template <typename Row, std::size_t kLists = 8>
void join_sets(const SetsView& sets, std::size_t first, std::size_t last, const std::uint64_t* rows,
               const double* capacities, std::uint64_t* joined) {
  for (; first + kLists <= last; first += kLists) join_lists<Row, kLists>(sets, first, rows, capacities, joined);
  if constexpr (kLists > 1) join_sets<Row, kLists / 2>(sets, first, last, rows, capacities, joined);
}

/// Rows of many words, list by list.
void join_long_sets(const SetsView& sets, const SetGroup& group, const double* capacities, std::uint64_t* joined) {
  alignas(64) std::int32_t done[kLanes];
  for (std::size_t list = group.first_list; list < group.last_list; ++list) {
    count_list(sets.lists, list, capacities).plus(sets.first_row[list]).put(done);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t* row = sets.rows + group.rows + static_cast<std::size_t>(done[lane]) * group.words;
      std::uint64_t* set = joined + lane * group.words;
      for (std::size_t word = 0; word < group.words; ++word) set[word] |= row[word];
    }
  }
}

void join_group(const SetsView& sets, const SetGroup& group, const double* capacities, std::uint64_t* joined) {
  const std::uint64_t* rows = sets.rows + group.rows;
  switch (group.words) {
    case 1:
      return join_sets<std::uint64_t>(sets, group.first_list, group.last_list, rows, capacities, joined);
    case 2:
      return join_sets<TwoWords>(sets, group.first_list, group.last_list, rows, capacities, joined);
    case 4:
      return join_sets<FourWords>(sets, group.first_list, group.last_list, rows, capacities, joined);
    case 8:
      return join_sets<EightWords>(sets, group.first_list, group.last_list, rows, capacities, joined);
    default:
      return join_long_sets(sets, group, capacities, joined);
  }
}

void run_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined, std::int32_t* counts) {
  for (std::size_t g = 0; g < sets.groups; ++g) {
    const SetGroup& group = sets.group[g];
    __builtin_memset(joined, 0, group.words * kLanes * sizeof *joined);
    join_group(sets, group, capacities, joined);
    std::int32_t* sum = counts + std::size_t{group.size} * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      for (std::size_t word = 0; word < group.words; ++word) sum[lane] += ones(joined[lane * group.words + word]);
    for (std::uint32_t i = group.first_exception; i < group.last_exception; ++i) {
      const SetException piece = sets.exceptions[i];
      std::int32_t* own = counts + std::size_t{piece.size} * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t word = joined[lane * group.words + piece.bit / 64];
        const auto done = static_cast<std::int32_t>(word >> (piece.bit % 64) & 1);
        sum[lane] -= done;
        own[lane] += done;
      }
    }
  }
}

}  // namespace
}  // namespace coterie::sim
