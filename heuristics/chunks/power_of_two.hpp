#pragma once

#include <algorithm>
#include <cmath>

namespace coterie::heuristics {

/// A power of two, about 1 / length, for lengths > 0: products of lengths scaled by it neither underflow nor overflow,
/// and compare as they would without either.
inline double scale_for(double length) { return std::ldexp(1.0, std::clamp(-std::ilogb(length), -1022, 1022)); }

}  // namespace coterie::heuristics
