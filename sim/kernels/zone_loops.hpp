#pragma once

// Interruptions that workers of a zone have in common. Part of lane_loops_body.hpp: local to the including file,
// nothing of the standard library.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

/// Each digit added to a number below 2^51 pushes what is behind the point out of the mantissa: to the nearest whole.
constexpr double kToWhole = 0x1.8p52;

/// Of normal numbers, within 1e-12: exponent, and atanh's series of the mantissa in [sqrt(1/2), sqrt(2)). Shorter than
/// a library's: what comes of it goes to a grid of 2^-32.
inline Reals log2_of(Reals x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  const Words bits = (Words)x - kSqrtHalf;
  const Words exponent = ((bits >> 52) ^ 0x800) - 0x800;  // 12 bits with a sign
  const Reals whole = (Reals)((exponent + 0x4338000000000000)) - kToWhole;
  const Reals mantissa = (Reals)((Words)x - (exponent << 52));
  const Reals t = (mantissa - 1) / (mantissa + 1);
  const Reals s = t * t;
  constexpr double kTerms[] = {1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0};
  Reals sum = Reals{} + 1.0 / 13;
  for (const double term : kTerms) sum = sum * s + term;
  return whole + t * sum * 2.8853900817779268;  // 2 / ln 2
}

/// Of numbers in [-1000, 0], within 1e-11 of it: a power of two, and the exponential's series within +- ln(2) / 2.
inline Reals exp2_of(Reals y) {
  const Reals shifted = y + kToWhole;
  const Reals x = (y - (shifted - kToWhole)) * 0.69314718055994531;
  constexpr double kTerms[] = {1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};
  Reals sum = Reals{} + 1.0 / 362880;
  for (const double term : kTerms) sum = sum * x + term;
  return (Reals)((Words)sum + ((Words)shifted << 52));
}

/// (1 - uniform)^exponent, 0 < uniform < 1.
inline Reals survival_of(Reals uniform, Reals exponent) {
  const Reals power = log2_of(1 - uniform) * exponent;
  return exp2_of(power > -1000 ? power : Reals{} - 1000);
}

void survivals_of(const double* uniforms, std::size_t rows, double exponent, double* survival) {
  for (std::size_t i = 0; i < rows * kLanes; i += kWidth) {
    const Reals result = survival_of(reals_at(uniforms + i), Reals{} + exponent);
    __builtin_memcpy(survival + i, &result, sizeof result);
  }
}

/// The uniform of 1 - survival: cell k of the grid is [k, k + 1) / 2^32; the last one takes what rounds to 1.
inline Reals uniform_of(Reals survival) {
  const Reals at = (1 - survival) * 0x1p32 - 0.5;
  const Reals cell = (at + kToWhole) - kToWhole;
  const Reals inside = cell < 0x1p32 ? cell : Reals{} + (0x1p32 - 1);
  return (inside + 0.5) * 0x1p-32;
}

template <class OwnSurvival>
inline void join_with(const ZonesView& zones, std::size_t workers, double* uniforms, const OwnSurvival& own_survival) {
  for (std::size_t w = 0; w < workers; ++w) {
    const double* const of_zone = zones.survival + std::size_t{zones.zone_of[w]} * kLanes;
    for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
      double* const place = uniforms + w * kLanes + lane;
      const Reals shared = reals_at(of_zone + lane);
      const Reals own = own_survival(reals_at(place));
      const Reals joined = uniform_of(shared > own ? shared : own);
      __builtin_memcpy(place, &joined, sizeof joined);
    }
  }
}

/// Half of the hazard shared, and all of it, need no powers.
void join_zones(const ZonesView& zones, std::size_t workers, double* uniforms) {
  if (zones.own == 2)
    join_with(zones, workers, uniforms, [](Reals uniform) { return (1 - uniform) * (1 - uniform); });
  else if (zones.own > 0x1.fffffffffffffp1023)
    join_with(zones, workers, uniforms, [](Reals) { return Reals{}; });
  else
    join_with(zones, workers, uniforms,
              [power = Reals{} + zones.own](Reals uniform) { return survival_of(uniform, power); });
}

}  // namespace
}  // namespace coterie::sim
