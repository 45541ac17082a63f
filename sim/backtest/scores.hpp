#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coterie::sim {

/// Where something seen lies in a promised distribution: the shares of it that are lower, and not higher. They differ
/// where the distribution has an atom; then it counts in parts for what covers the atom in part, so that a true promise
/// is right as often as it says.
struct Rank {
  double below = 0;
  double up_to = 0;

  /// How much of it is in the central range that was promised with this probability.
  double within(double range) const;
  /// How much of it is at or before the quantile that was promised with this probability.
  double by(double probability) const;
};

/// `promised`: sorted, not empty; values that differ by rounding count as equal.
Rank rank_of(double seen, std::span<const double> promised);

/// The mean of what was seen in windows, with its 95 % interval.
struct Score {
  double mean = 0;
  double low = 0, high = 0;  ///< equal to the mean if there are fewer than two plans
};

/// Windows of one plan have the plan and the days after it in common, so that they say less than as many independent
/// ones: the error is that of sums by plan, by Student's t. [Liang and Zeger 1986, Biometrika 73, 13-22]. `plans`: of
/// each value, numbered in order.
Score score(std::span<const double> values, std::span<const std::size_t> plans);
/// The same for shares from 0 to 1; the interval is no narrower than that of as many independent windows.
Score share_score(std::span<const double> shares, std::span<const std::size_t> plans);

}  // namespace coterie::sim
