#pragma once

#include <cstddef>
#include <optional>

#include "traces/lifetime_estimates.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// A summary of a trace. Times are in seconds; mean, median, cv and linear_distance are those of the Kaplan-Meier
/// estimate, which is the empirical law of the spells if none is censored.
struct TraceSummary {
  std::size_t n = 0;
  std::size_t hosts = 0;  ///< distinct names; 0 if the format has none
  std::size_t observed = 0;
  std::size_t censored = 0;
  std::size_t left_truncated = 0;
  std::size_t zeros = 0;
  std::optional<double> resolution;  ///< time between two observations, if the format says so
  LifetimeEstimate mean;             ///< with its 95 % interval; a lower bound if `open` is above 0
  LifetimeEstimate median;           ///< with its 95 % interval
  double open = 0;                   ///< share of the law beyond the last interruption seen
  double max = 0;                    ///< the longest spell, observed or not
  double cv = 0;  ///< standard deviation (with the open tail ended at `max`) over mean; 0 if the mean is 0
  /// sup |P(T < t) - t| with the longest spell as unit of time: how far the risk is from the linear one, in [0, 1].
  std::optional<double> linear_distance;  ///< nothing if all spells have length zero or none is observed
  /// Intraclass correlation of durations within hosts (one-way analysis of variance): 0 if hosts are alike, 1 if
  /// the host determines the duration. Nothing if there are fewer than two hosts, or no host has two spells.
  std::optional<double> host_correlation;
  /// Length of the mean of exp(2 pi i h / 24) over the hours h (UTC) at which spells begin: 0 if they begin evenly
  /// over the day, 1 if always at the same hour. Nothing if spells have no starts. These count as seconds since
  /// midnight UTC: of samples, SimGrid's profiles and other clocks that begin elsewhere it means nothing.
  std::optional<double> day_cycle;
};

/// How strongly interruptions follow the clock: as day_cycle, of the hours at which spells were interrupted.
struct InterruptionCycle {
  double strength = 0;
  std::size_t interruptions = 0;
  /// Whether interruptions that come evenly over the day are this uneven with a probability below 1e-4 (Rayleigh's
  /// test).
  bool is_certain() const;
};
/// Nothing if no interruption has a time, or if the times have no clock.
std::optional<InterruptionCycle> interruption_cycle(const AvailabilityTrace& trace);

/// Whether the times of a trace are seconds since 1970, so that they tell the time of day: all after March 1973.
bool has_clock(const AvailabilityTrace& trace);

/// `trace` must not be empty.
TraceSummary summarise(const AvailabilityTrace& trace);

}  // namespace coterie::traces
