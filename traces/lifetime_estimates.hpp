#pragma once

#include "core/infinity.hpp"
#include "traces/durations.hpp"

namespace coterie::traces {

/// An estimate from durations, with its 95 % interval; `high` is infinite if the durations set no upper limit.
struct LifetimeEstimate {
  double value = 0;
  double low = 0;
  double high = kInfinity;
};

/// Median and mean of the Kaplan-Meier estimate of durations, in their unit.
struct LifetimeEstimates {
  /// Infinite if the estimated curve does not fall to one half. Without censored durations: the sample median, with an
  /// interval of order statistics, which covers the median of any law at least that often [Conover 1999, Section 3.2];
  /// otherwise with the interval on the scale log(-log S) [Brookmeyer, Crowley 1982; Greenwood's variance]. Where the
  /// curve falls to 0 before that interval reaches one half, `low` is the time of the fall if at least six spells reach
  /// it (six outlive the median with probability 1/64), otherwise that of the last interruption before it, or 0. Where
  /// the interval stays above one half to the end, `low` is the time of the last interruption.
  LifetimeEstimate median;
  /// Mean up to the longest duration; with an open tail it is a lower bound of the mean, and there is no upper limit.
  /// The interval is normal on the logarithmic scale, and [0, infinity] with fewer than six interruptions. It is
  /// somewhat too short: for 50 spells of an exponential law, a quarter of them censored, it covers the mean in 92 % of
  /// samples; for heavy tails in fewer.
  LifetimeEstimate mean;
  double deviation = 0;  ///< standard deviation of the law, with its open tail ended at the longest duration
  double open = 0;       ///< share of the law beyond the last interruption seen
};

/// `durations`: finite, not empty. If none is observed, all of the law is open and the mean is at least the longest.
LifetimeEstimates lifetime_estimates(const Durations& durations);

}  // namespace coterie::traces
