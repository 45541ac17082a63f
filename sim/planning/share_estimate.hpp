#pragma once

#include <cstddef>

namespace coterie::sim {

/// A share of all runs there could be, known by those that were simulated.
struct ShareEstimate {
  double share = 0;
  double low = 0, high = 1;  ///< the true share lies between, with the level asked for
};

/// Of `runs` >= 1 independent runs `hits` are hits: the interval holds the true share with probability `level` at
/// least, in (0, 1). [Clopper and Pearson 1934, Biometrika 26, 404-413]
ShareEstimate estimate_share(std::size_t hits, std::size_t runs, double level = 0.95);

/// Whether a share is at least what is asked for.
enum class Verdict {
  kMet,
  kMissed,
  kOpen  ///< the runs do not tell
};
Verdict verdict_of(const ShareEstimate& estimate, double asked);

}  // namespace coterie::sim
