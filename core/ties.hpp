#pragma once

#include <algorithm>
#include <limits>

namespace coterie {

/// The ends of chunks are sums of rounded numbers, and interruption times may be recorded ones: an end that should
/// equal one of them may come out slightly later (0.1 + 0.2 > 0.3). So times whose relative difference is at most this
/// count as equal, and a chunk that ends at a recorded interruption time is complete. This is far above the rounding
/// error of a carefully computed sum of a million terms, and far below the resolution of clocks.
inline constexpr double kSameTime = 1e-12;

/// The latest end of a chunk that still counts as equal to `time` >= 0; finite.
inline double just_after(double time) { return std::min(time * (1 + kSameTime), std::numeric_limits<double>::max()); }

}  // namespace coterie
