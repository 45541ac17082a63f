#pragma once

// Vectors of the instruction set that the including file is compiled for. For files that are compiled once for each
// (instruction_set.hpp): everything is local to the including file, and nothing of the standard library is used. An
// inline function compiled for a newer processor could otherwise be picked by the linker for all of the program.

#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace coterie {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kWidth = 8;
#elif defined(__AVX2__)
constexpr std::size_t kWidth = 4;
#else
constexpr std::size_t kWidth = 2;
#endif
typedef std::uint64_t Words __attribute__((vector_size(8 * kWidth)));  // 32-bit words in 64-bit lanes
typedef std::int64_t SignedWords __attribute__((vector_size(8 * kWidth)));
typedef double Reals __attribute__((vector_size(8 * kWidth)));
typedef std::int32_t Integers __attribute__((vector_size(8 * kWidth)));
typedef std::int32_t HalfIntegers __attribute__((vector_size(4 * kWidth)));

inline Reals reals_at(const double* values) {
  Reals reals;
  __builtin_memcpy(&reals, values, sizeof reals);
  return reals;
}

/// The first `count` <= kWidth of them, and zeros.
inline Reals some_reals_at(const double* values, std::size_t count) {
#if defined(__AVX512F__)
  return (Reals)_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << count) - 1), values);
#else
  Reals reals = {};
  for (std::size_t i = 0; i < kWidth; ++i) reals[i] = i < count ? values[i] : 0;
  return reals;
#endif
}

/// True in the first `count` lanes.
inline Words first_lanes(std::size_t count) {
  Words lane = {};
  for (std::size_t i = 0; i < kWidth; ++i) lane[i] = i;
  return (Words)((SignedWords)lane < (SignedWords)(Words{} + count));
}

inline void put_some(Reals reals, double* values, std::size_t count) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_pd(values, static_cast<__mmask8>((1u << count) - 1), (__m512d)reals);
#else
  for (std::size_t i = 0; i < kWidth; ++i)
    if (i < count) values[i] = reals[i];
#endif
}

/// Whether any lane of a comparison is true.
inline bool any(Words comparison) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)comparison, (__m512i)comparison) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_epi8((__m256i)comparison) != 0;
#else
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kWidth; ++i) all |= comparison[i];
  return all != 0;
#endif
}

/// Rows may be negative.
inline Reals look_up(const double* table, Words row) {
#if defined(__AVX512F__)
  return (Reals)_mm512_i64gather_pd((__m512i)row, table, 8);
#elif defined(__AVX2__)
  return (Reals)_mm256_i64gather_pd(table, (__m256i)row, 8);
#else
  Reals values;
  for (std::size_t i = 0; i < kWidth; ++i) values[i] = table[static_cast<std::int64_t>(row[i])];
  return values;
#endif
}

inline Words look_up(const std::uint32_t* table, Words row) {
  HalfIntegers values;
#if defined(__AVX512F__)
  values = (HalfIntegers)_mm512_i64gather_epi32((__m512i)row, table, 4);
#elif defined(__AVX2__)
  values = (HalfIntegers)_mm256_i64gather_epi32((const int*)table, (__m256i)row, 4);
#else
  for (std::size_t i = 0; i < kWidth; ++i) values[i] = static_cast<std::int32_t>(table[row[i]]);
#endif
  return __builtin_convertvector(values, Words) & 0xffffffff;
}

/// Numbers from 0 to below 2^31.
template <typename Integer>
inline Words words_at(const Integer* values) {
  static_assert(sizeof(Integer) == sizeof(std::int32_t));
  HalfIntegers integers;
  __builtin_memcpy(&integers, values, sizeof integers);
  return __builtin_convertvector(integers, Words);
}

/// The first `count` <= kWidth of them, below 2^31, and zeros.
inline Words some_words_at(const std::uint32_t* values, std::size_t count) {
#if defined(__AVX512F__)
  return (Words)_mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(static_cast<__mmask8>((1u << count) - 1), values));
#else
  Words words = {};
  for (std::size_t i = 0; i < kWidth; ++i) words[i] = i < count ? values[i] : 0;
  return words;
#endif
}

}  // namespace
}  // namespace coterie
