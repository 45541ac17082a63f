#pragma once

// More about vectors (core/vectors.hpp), and Philox on them. Part of lane_loops_body.hpp: local to the including file,
// nothing of the standard library.

#include "core/vectors.hpp"
#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kGroups = 2;  // of vectors that are worked on in turn where one would wait for its own last step

inline Integers joined(HalfIntegers low, HalfIntegers high) {
#if defined(__AVX512F__)
  return (Integers)_mm512_inserti64x4(_mm512_castsi256_si512((__m256i)low), (__m256i)high, 1);
#elif defined(__AVX2__)
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#endif
}

/// Product of the low halves; the high halves may hold anything.
inline Words multiply(Words a, Words b) {
#if defined(__AVX512F__)
  return (Words)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (Words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (Words)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
  return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}

/// (word + 1/2) / 2^32; the word becomes the last digits of 2^52.
inline Reals to_uniforms(Words word) {
  const Words digits = (word & 0xffffffff) | 0x4330000000000000;
  return ((Reals)digits - 0x1p52 + 0.5) * 0x1p-32;
}

/// Four words for each of kWidth counters.
struct Counters {
  Words c0, c1, c2, c3;
};

/// Philox4x32-10. [Salmon et al., SC 2011]
inline Counters philox(Counters c, std::uint32_t k0, std::uint32_t k1) {
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const Words product0 = multiply(c.c0, Words{} + 0xD2511F53);
    const Words product1 = multiply(c.c2, Words{} + 0xCD9E8D57);
    c.c0 = (product1 >> 32) ^ c.c1 ^ (Words{} + k0);
    c.c1 = product1;
    c.c2 = (product0 >> 32) ^ c.c3 ^ (Words{} + k1);
    c.c3 = product0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

inline Words instances_from(std::uint64_t first) {
  Words instance = Words{} + first;
  for (std::size_t i = 0; i < kWidth; ++i) instance[i] += i;
  return instance;
}

/// In how many lanes a comparison is true.
inline int count_true(Words comparison) {
#if defined(__AVX512F__)
  return __builtin_popcount(_mm512_test_epi64_mask((__m512i)comparison, (__m512i)comparison));
#elif defined(__AVX2__)
  return __builtin_popcount(static_cast<unsigned>(_mm256_movemask_pd((__m256d)comparison)));
#else
  int count = 0;
  for (std::size_t i = 0; i < kWidth; ++i) count += comparison[i] != 0 ? 1 : 0;
  return count;
#endif
}

inline std::uint64_t greatest(Words words) {
#if defined(__AVX512F__)
  return _mm512_reduce_max_epu64((__m512i)words);
#else
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < kWidth; ++i) most = most < words[i] ? words[i] : most;
  return most;
#endif
}

inline Integers integers_at(const std::int32_t* values) {
  Integers integers;
  __builtin_memcpy(&integers, values, sizeof integers);
  return integers;
}

}  // namespace
}  // namespace coterie::sim
