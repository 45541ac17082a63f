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
    count_list(sets.lists, list, capacities).put(done);
    const std::uint32_t* const bits = sets.bits + sets.first_bit[list];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto tasks = static_cast<std::uint32_t>(done[lane]);
      const std::size_t at = static_cast<std::size_t>(sets.first_row[list]) + tasks / group.stride;
      const std::uint64_t* row = sets.rows + group.rows + at * group.words;
      std::uint64_t* set = joined + lane * group.words;
      for (std::size_t word = 0; word < group.words; ++word) set[word] |= row[word];
      for (std::uint32_t k = tasks - tasks % group.stride; k < tasks; ++k)
        set[bits[k] / 64] |= std::uint64_t{1} << (bits[k] % 64);
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

#if defined(__AVX512BW__)
constexpr bool kColumns = true;

/// Of sets in columns of 16 pieces, a lane each.
template <std::size_t kCount>
[[gnu::always_inline]] inline Counts ones_of(const __m512i (&set)[kCount]) {
  const __m512i ones = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i low = _mm512_set1_epi8(15);
  __m512i bytes = _mm512_setzero_si512();
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) {
    const __m512i high = _mm512_and_si512(_mm512_srli_epi16(set[c], 4), low);
    bytes = _mm512_add_epi8(bytes, _mm512_shuffle_epi8(ones, _mm512_and_si512(set[c], low)));
    bytes = _mm512_add_epi8(bytes, _mm512_shuffle_epi8(ones, high));
  }
  const __m512i sums = _mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1));
  return {{(Integers)_mm512_cvtepu16_epi32(_mm512_castsi512_si256(sums)),
           (Integers)_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(sums, 1))}};
}

/// The rows of 32 lanes in one column of 16 pieces, picked at once by the last digits of their numbers. Rows only grow:
/// where later parts have the row, what the first ones give is a part of it.
template <std::size_t kParts>
[[gnu::always_inline]] inline __m512i pick_rows(const std::uint16_t* column, __m512i row, __mmask32 late) {
  const auto part = [&](std::size_t i) { return _mm512_load_si512(column + i * SetsView::kRows); };
  if constexpr (kParts == 1) return _mm512_permutexvar_epi16(row, part(0));
  const __m512i early = _mm512_permutex2var_epi16(part(0), row, part(1));
  if constexpr (kParts == 3) return _mm512_or_si512(early, _mm512_maskz_permutexvar_epi16(late, row, part(2)));
  if constexpr (kParts == 4)
    return _mm512_or_si512(early, _mm512_maskz_permutex2var_epi16(late, part(2), row, part(3)));
  return early;
}

template <std::size_t kCount, std::size_t kParts>
void join_columns(const SetsView& sets, const SetGroup& group, const double* capacities, std::uint64_t* joined,
                  std::int32_t* sum) {
  static_assert(kLanes == 32 && SetsView::kRows == 32);
  constexpr std::size_t kTogether = 32;
  __m512i set[kCount];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) set[c] = _mm512_setzero_si512();
  for (std::size_t first = group.first_list; first < group.last_list; first += kTogether) {
    const std::size_t count = group.last_list - first < kTogether ? group.last_list - first : kTogether;
    alignas(64) std::int32_t done[kTogether * kLanes];
    count_lists(sets.lists, sets.all_lists + first, count, capacities, done);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* const rows = done + i * kLanes;
      const __m512i row = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(_mm512_load_si512(rows))),
                                             _mm512_cvtepi32_epi16(_mm512_load_si512(rows + 16)), 1);
      const __mmask32 late = _mm512_cmpgt_epi16_mask(row, _mm512_set1_epi16(63));
      const std::uint16_t* column =
          sets.columns + group.rows + static_cast<std::size_t>(sets.first_row[first + i]) * SetsView::kRows;
#pragma GCC unroll 8
      for (std::size_t c = 0; c < kCount; ++c, column += kParts * SetsView::kRows)
        set[c] = _mm512_or_si512(set[c], pick_rows<kParts>(column, row, late));
    }
  }
  Counts pieces = Counts::at(sum);
  pieces.add(ones_of(set));
  pieces.put(sum);
  if (group.first_exception == group.last_exception) return;
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) _mm512_storeu_si512(joined + c * (kLanes / 4), set[c]);
}

typedef void (*JoinColumns)(const SetsView&, const SetGroup&, const double*, std::uint64_t*, std::int32_t*);

void join_group_in_columns(const SetsView& sets, const SetGroup& group, const double* capacities, std::uint64_t* joined,
                           std::int32_t* sum) {
  static constexpr JoinColumns kFew[4][2] = {{join_columns<1, 1>, join_columns<1, 2>},
                                             {join_columns<2, 1>, join_columns<2, 2>},
                                             {join_columns<3, 1>, join_columns<3, 2>},
                                             {join_columns<4, 1>, join_columns<4, 2>}};
  static constexpr JoinColumns kMany[5][2] = {{join_columns<4, 3>, join_columns<4, 4>},
                                              {join_columns<5, 3>, join_columns<5, 4>},
                                              {join_columns<6, 3>, join_columns<6, 4>},
                                              {join_columns<7, 3>, join_columns<7, 4>},
                                              {join_columns<8, 3>, join_columns<8, 4>}};
  const JoinColumns join =
      group.parts <= 2 ? kFew[group.columns - 1][group.parts - 1] : kMany[group.columns - 4][group.parts - 3];
  join(sets, group, capacities, joined, sum);
}

void look_for_bit_in_columns(const std::uint64_t* joined, std::uint32_t bit, std::int32_t* done) {
  std::uint16_t column[kLanes];
  __builtin_memcpy(column, (const char*)joined + bit / SetsView::kBits * sizeof column, sizeof column);
  for (std::size_t lane = 0; lane < kLanes; ++lane) done[lane] = column[lane] >> (bit % SetsView::kBits) & 1;
}
#else
constexpr bool kColumns = false;

void join_group_in_columns(const SetsView&, const SetGroup&, const double*, std::uint64_t*, std::int32_t*) {}
void look_for_bit_in_columns(const std::uint64_t*, std::uint32_t, std::int32_t*) {}
#endif

void count_ones(const SetGroup& group, const std::uint64_t* joined, std::int32_t* sum) {
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    for (std::size_t word = 0; word < group.words; ++word) sum[lane] += ones(joined[lane * group.words + word]);
}

void look_for_bit(const SetGroup& group, const std::uint64_t* joined, std::uint32_t bit, std::int32_t* done) {
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    done[lane] = static_cast<std::int32_t>(joined[lane * group.words + bit / 64] >> (bit % 64) & 1);
}

void run_sets(const SetsView& sets, const double* capacities, std::uint64_t* joined, std::int32_t* counts) {
  for (std::size_t g = 0; g < sets.groups; ++g) {
    const SetGroup& group = sets.group[g];
    std::int32_t* sum = counts + std::size_t{group.size} * kLanes;
    if (group.columns > 0) {
      join_group_in_columns(sets, group, capacities, joined, sum);
    } else {
      __builtin_memset(joined, 0, group.words * kLanes * sizeof *joined);
      join_group(sets, group, capacities, joined);
      count_ones(group, joined, sum);
    }
    for (std::uint32_t i = group.first_exception; i < group.last_exception; ++i) {
      const SetException piece = sets.exceptions[i];
      std::int32_t* own = counts + std::size_t{piece.size} * kLanes;
      std::int32_t done[kLanes];
      if (group.columns > 0)
        look_for_bit_in_columns(joined, piece.bit, done);
      else
        look_for_bit(group, joined, piece.bit, done);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sum[lane] -= done[lane];
        own[lane] += done[lane];
      }
    }
  }
}

}  // namespace
}  // namespace coterie::sim
