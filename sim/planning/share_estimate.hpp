#pragma once

#include <cstddef>

namespace coterie::sim {

/// A share of all possible runs, estimated from those that were simulated.
struct ShareEstimate {
  double share = 0;
  double low = 0, high = 1;  ///< the true share lies between, at the given level
};

/// For `hits` among `runs` >= 1 independent runs: the interval holds the true share with probability at least `level`,
/// in (0, 1). [Clopper and Pearson 1934, Biometrika 26, 404-413]
ShareEstimate estimate_share(std::size_t hits, std::size_t runs, double level = 0.95);

}  // namespace coterie::sim
