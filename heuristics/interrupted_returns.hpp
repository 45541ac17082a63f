#pragma once

#include <span>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/star_platform.hpp"

namespace coterie::heuristics {

/// When each worker's results are all back, for a schedule of length `lifespan` made of `sharing` (whose shares are
/// those of one unit of time): messages return one after another until the end (Section 2.2: as late as possible), in
/// the return order. By worker; 0 where it is not enrolled.
std::vector<double> return_times(const StarPlatform<double>& platform, const StarSharing<double>& sharing,
                                 double lifespan);

/// Expected work that comes back where worker i is interrupted at a random time T_i with risk function Pr_i(t) = P(T_i
/// < t) on the clock of the schedule, and a worker interrupted before the end of its return message returns nothing:
///   E = sum_i lifespan a_i (1 - Pr_i(r_i)),  r_i = end of its return message.
/// Exact by linearity, whatever the dependence between workers: the times of messages are fixed in advance, so that one
/// worker's interruption moves no other's. Between 0 and lifespan x throughput.
/// Throws InputError unless there is one risk a worker and the lifespan is finite and zero or more.
double expected_returned_work(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan,
                              std::span<const RiskPtr> risks);

/// The lifespan, up to `longest`, that makes that expectation greatest; the expectation need not have one maximum only,
/// so `steps` equal steps are looked at and the best of them refined by Brent's method. Throws InputError as above, or
/// where steps is 0.
double best_lifespan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double longest,
                     int steps, std::span<const RiskPtr> risks);

}  // namespace coterie::heuristics
