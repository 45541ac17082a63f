#pragma once

#include <cstddef>
#include <optional>

#include "traces/lifetime_estimates.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// What a trace holds, at a glance. Times are seconds; mean, median, cv and linear_distance are those of the law that
/// Kaplan-Meier's estimator makes of the spells, which is that of all spells alike where none is censored.
struct TraceSummary {
  std::size_t n = 0;
  std::size_t hosts = 0;  ///< different names; 0 where the format has none
  std::size_t observed = 0;
  std::size_t censored = 0;
  std::size_t left_truncated = 0;
  std::size_t zeros = 0;
  std::optional<double> resolution;  ///< time between two looks, where the format says it
  LifetimeEstimate mean;             ///< with its 95 % interval; where `open` is above 0, what it is at least
  LifetimeEstimate median;           ///< likewise
  double open = 0;                   ///< share of the law beyond the last interruption seen
  double max = 0;                    ///< the longest spell, observed or not
  double cv = 0;  ///< standard deviation (the open tail ended at `max`) over mean; 0 where the mean is
  /// sup |P(T < t) - t| with the longest spell as unit of time: how far the risk is from the linear one, in [0, 1].
  std::optional<double> linear_distance;  ///< nothing where all spells have length zero or none is observed
  /// Intraclass correlation of durations within hosts (one-way analysis of variance): 0 where hosts are alike, 1 where
  /// the host tells all. Nothing where fewer than two hosts or no host with two spells is named.
  std::optional<double> host_correlation;
  /// Length of the mean of exp(2 pi i h / 24) over the hours h (UTC) at which spells begin: 0 where they begin evenly
  /// over the day, 1 where always at one hour. Nothing where the format tells no time of day.
  std::optional<double> day_cycle;
};

/// `trace` must not be empty.
TraceSummary summarise(const AvailabilityTrace& trace);

}  // namespace coterie::traces
