#pragma once

#include <span>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/now/now_protocol.hpp"
#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Work that comes back from workers that may be interrupted, for any protocol whose message times are fixed in
/// advance. A worker interrupted before the end of its return message returns nothing; one worker's interruption moves
/// no other's messages.
struct ReturnPlan {
  std::vector<double> work;   ///< by worker; 0 where it is not enrolled
  std::vector<double> times;  ///< when its results are all back; 0 where it is not enrolled

  /// Nobody is interrupted.
  double whole() const;
  /// E = sum_i work_i (1 - Pr_i(times_i)), worker i being interrupted at a random time T_i with Pr_i(t) = P(T_i < t) on
  /// the clock of the schedule. Exact by linearity, whatever the dependence between workers.
  /// Throws InputError unless there is one risk a worker.
  double expected(std::span<const RiskPtr> risks) const;
  /// What came back where worker i was interrupted at interruptions[i]: work_i counts iff times_i <= interruptions[i].
  double returned(std::span<const double> interruptions) const;
};

/// When each worker's results are all back, for a schedule of length `lifespan` made of `sharing` (whose shares are
/// those of one unit of time): messages return one after another until the end (Section 2.2: as late as possible), in
/// the return order. By worker; 0 where it is not enrolled.
std::vector<double> return_times(const StarPlatform<double>& platform, const StarSharing<double>& sharing,
                                 double lifespan);

/// A schedule of length `lifespan` on a star. Throws InputError unless the lifespan is finite and zero or more.
ReturnPlan return_plan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan);

/// A protocol of a network of workstations in `lifespan`, which must be feasible: results return one after another
/// until the end, each message set-up, first packet and the rest ([now-2001], "The Model, 3").
ReturnPlan return_plan(const Now<double>& now, const NowOrders& orders, const NowProtocol<double>& protocol,
                       double lifespan);

/// Expected work that comes back: return_plan(platform, sharing, lifespan).expected(risks). Between 0 and lifespan x
/// throughput.
double expected_returned_work(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan,
                              std::span<const RiskPtr> risks);

/// The lifespan, up to `longest`, that makes that expectation greatest; the expectation need not have one maximum only,
/// so `steps` equal steps are looked at, and shorter ones that shrink by a quarter, and the best of them is refined by
/// Brent's method. `longest` where nothing ever comes back. Throws InputError as above, or where steps is 0.
double best_lifespan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double longest,
                     int steps, std::span<const RiskPtr> risks);

}  // namespace coterie::heuristics
