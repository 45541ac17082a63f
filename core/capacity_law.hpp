#pragma once

#include "core/background_law.hpp"
#include "core/risk.hpp"

namespace coterie {

/// Greatest error of a probability of an exact capacity law, truncation and rounding together.
inline constexpr double kCapacityLawError = 1e-10;

/// The risk Pr(w) = P(capacity < w) of a worker that is interrupted by `interruption` and runs at speed 1/(n + 1)
/// beside n background jobs of the law: capacity = integral of the speed up to the interruption, [Wu, Cao, Robertazzi
/// 2019] and time-varying speeds in general. With it, expected_work is exact for static schedules of independent
/// workers. Computed without sampling where that is affordable, otherwise null:
/// - if the number of jobs never changes (no arrivals, and no jobs or no service): the same law on another scale;
/// - if interruptions are exponential or a mixture of exponentials: a Markov chain on the clock of the work
///   (KilledQueue);
/// - for any other law: the law of the processing done by the interruption, averaged over its time (ProcessingLaw).
/// Probabilities are within kCapacityLawError for all w in [0, limit], by the estimates that the rules of integration
/// make of their errors. Requires a valid law of jobs (whose service may be 0 here), limit finite, >= 0.
RiskPtr exact_capacity_risk(const RiskPtr& interruption, const BackgroundLaw& jobs, double limit);

}  // namespace coterie
