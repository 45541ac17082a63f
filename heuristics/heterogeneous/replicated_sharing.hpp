#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "heuristics/heterogeneous/message_plan.hpp"
#include "heuristics/heterogeneous/share_work.hpp"

namespace coterie::heuristics {

/// The most pieces that a user may ask for, and the most workers.
inline constexpr std::size_t kMostPieces = 1000;
inline constexpr std::size_t kMostReplicatingWorkers = 1000;

/// Work for workers that differ in speed, bandwidth and risk (any risk), with a start-up cost for each processed
/// piece, and with pieces that may be sent to several workers: what heterogeneous-2011, Sections 6 and 7, leaves
/// to future work.
struct ReplicationProblem {
  std::vector<RiskyWorker> workers;
  double work = 0;     ///< W >= 0; infinite only with optional deployment
  double startup = 0;  ///< eps >= 0, work units
  Deployment deployment = Deployment::kForced;
  Rounds rounds = Rounds::kOne;
  std::optional<double> piece_size;  ///< initial size of the pieces; nothing: chosen automatically
};

struct ReplicatedPlan {
  MessagePlan plan;
  double expected_work = 0;   ///< exact
  bool from_distrib = false;  ///< built on DISTRIB's optimum, not from nothing
  /// The expected work of DISTRIB's optimal shares with the start-up cost; nothing if a risk is not linear.
  std::optional<double> distrib_expected_work;
};

/// A heuristic. Copies of pieces are added one by one, each on the worker and at the place (of the worker's list, or of
/// the order of service) where the exact expected work grows most, until none makes it grow or there are 2000 (no limit
/// if the size of pieces is given); in plans of at most 150 copies each is then moved to its best place. This is done
/// from nothing, for several sizes and numbers of equal pieces, and, if the risks are linear, from the optimal shares
/// of DISTRIB, whole and cut; the best result is returned. So without start-up costs it is never below DISTRIB's
/// optimum (share_work) under the same deployment, and with a start-up cost never below those shares; with several
/// rounds it is never below the result for one. The sizes of the pieces of each result are then improved along the
/// gradient. Forced deployment: work that would better be held back goes to the worker served last. Throws InputError
/// for a wrong platform, work, start-up cost or size of pieces.
ReplicatedPlan replicate_work(const ReplicationProblem& problem);

}  // namespace coterie::heuristics
