#pragma once

#include <algorithm>
#include <limits>

namespace coterie {

/// Ends of chunks are sums of rounded numbers, interruption times may be recorded ones: an end that is one of them on
/// paper may be found a little behind it (0.1 + 0.2 > 0.3). So times that differ by no more than this, as a part of
/// them, are the same, and a chunk that ends at a recorded interruption time is done. Far above the rounding of a
/// million terms that is summed with care, far below what clocks resolve.
inline constexpr double kSameTime = 1e-12;

/// The last end of a chunk that is the same time as `time` >= 0; finite.
inline double just_after(double time) { return std::min(time * (1 + kSameTime), std::numeric_limits<double>::max()); }

}  // namespace coterie
