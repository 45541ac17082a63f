#pragma once

#include <span>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/now/now_protocol.hpp"
#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Work returned by workers that may be interrupted, for any protocol whose message times are fixed in advance. A
/// worker interrupted before the end of its return message returns nothing; its interruption does not move the messages
/// of others.
struct ReturnPlan {
  std::vector<double> work;   ///< by worker; 0 if it is not enrolled
  std::vector<double> times;  ///< when all its results are back; 0 if it is not enrolled

  /// Nobody is interrupted.
  double whole() const;
  /// E = sum_i work_i (1 - Pr_i(times_i)), worker i being interrupted at a random time T_i with Pr_i(t) = P(T_i < t) on
  /// the clock of the schedule. Exact by linearity, whatever the dependence between workers.
  /// Throws InputError unless there is one risk per worker.
  double expected(std::span<const RiskPtr> risks) const;
  /// What comes back if worker i is interrupted at interruptions[i]: work_i counts iff times_i <= interruptions[i].
  double returned(std::span<const double> interruptions) const;
};

/// When all results of each worker are back, for a schedule of length `lifespan` made of `sharing` (whose shares are
/// those of one unit of time): messages return one after another until the end (Section 2.2: as late as possible), in
/// the return order. By worker; 0 if it is not enrolled.
std::vector<double> return_times(const StarPlatform<double>& platform, const StarSharing<double>& sharing,
                                 double lifespan);

/// A schedule of length `lifespan` on a star. Throws InputError unless the lifespan is finite and zero or more.
ReturnPlan return_plan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan);

/// A protocol of a network of workstations in `lifespan`, which must be feasible: results return one after another
/// until the end, each message set-up, first packet and the rest ([now-2001], "The Model, 3").
ReturnPlan return_plan(const Now<double>& now, const NowOrders& orders, const NowProtocol<double>& protocol,
                       double lifespan);

/// Expected returned work: return_plan(platform, sharing, lifespan).expected(risks). Between 0 and lifespan x
/// throughput.
double expected_returned_work(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan,
                              std::span<const RiskPtr> risks);

/// The lifespan, up to `longest`, with the greatest expectation of those tried: `steps` equal steps, below ten
/// of them steps of a tenth of the lifespan, and those in which results are back where a risk jumps or bends. Of these
/// the best 64 that are no worse than their neighbours are refined by Brent's method between these. Exact under laws
/// that only jump, with up to 20,000 jumps over all workers; of others, a maximum much narrower than a tenth of its
/// lifespan may be missed. `longest` if nothing ever comes back. Throws InputError as above, or if steps is 0.
double best_lifespan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double longest,
                     int steps, std::span<const RiskPtr> risks);

}  // namespace coterie::heuristics
