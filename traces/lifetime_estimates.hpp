#pragma once

#include <limits>

#include "traces/durations.hpp"

namespace coterie::traces {

/// A number that durations tell, and its 95 % interval; an infinite `high` where they set no upper limit.
struct LifetimeEstimate {
  double value = 0;
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};

/// Median and mean of the law that Kaplan-Meier's estimator makes of durations, in their unit.
struct LifetimeEstimates {
  /// Infinite where fewer than half were seen to be interrupted. Without censored durations their middle, with an
  /// interval of order statistics, which holds the median of any law at least that often [Conover 1999, Section 3.2];
  /// else the interval on the scale log(-log S) [Brookmeyer, Crowley 1982; Greenwood's variance].
  LifetimeEstimate median;
  /// Up to the longest duration; with a tail that stays open a lower bound of the mean, and no upper limit. The
  /// interval is normal on the logarithmic scale, [0, infinity] with fewer than six interruptions: somewhat too short:
  /// of 50 spells of an exponential law, a quarter censored, it holds the mean in 92 % of samples; of a heavy tail,
  /// less.
  LifetimeEstimate mean;
  double deviation = 0;  ///< standard deviation of the law, its open tail ended at the longest duration
  double open = 0;       ///< share of the law beyond the last interruption seen
};

/// `durations` must not be empty; finite. With none observed all is open: the mean is at least the longest.
LifetimeEstimates lifetime_estimates(const Durations& durations);

}  // namespace coterie::traces
