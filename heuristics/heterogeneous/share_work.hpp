#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heuristics/heterogeneous/linear_platform.hpp"

namespace coterie::heuristics {

/// Whether all of W has to be handed out (the paper's DISTRIB, Definition 1) or work may be held back.
enum class Deployment { kForced, kOptional };

enum class SharingMethod { kOptimal, kPrintedTheorem4 };

/// One round of work for workers that differ in speed, bandwidth and linear risk. [heterogeneous-2011]
struct HeterogeneousProblem {
  std::vector<LinearWorker> workers;
  double work = 0;  ///< W >= 0; infinite only with optional deployment
  Deployment deployment = Deployment::kForced;
  std::optional<std::vector<std::size_t>> order;  ///< imposed order of service: indices from 0, each once
  SharingMethod method = SharingMethod::kOptimal;
};

struct HeterogeneousSolution {
  std::vector<std::size_t> order;  ///< order of service, indices from 0, including workers without work
  std::vector<double> shares;      ///< work units, in the order of the workers
  double deployed_work = 0;
  double expected_work = 0;
  double loss_factor = 0;  ///< f of the best shares of all workers: E(W) = W - f W^2 if no risk exceeds 1
  /// The worker that takes the work that would better be held back; served last unless the order is imposed.
  std::optional<std::size_t> sacrificed;
  std::string method;
  bool exact = false;
};

/// Optimal order and shares.
/// - Order: by non-increasing kappa bw (Conjecture 1, proved in RESULTS.md).
/// - Shares: Theorems 1, 2, 3, 4 (corrected), 5 if they apply, otherwise the general solver.
/// - Optional deployment: D = min(W, 1/(2f)), E = D - f D^2, optimal for every W.
/// - Forced: the same for W <= 1/(2f); beyond, max(W - f W^2, max_r of the optional optimum without r), r then takes
///   the rest and is served last. [RESULTS.md, Conjecture 1 and A16]
/// - Imposed order: global optimum of the possibly non-convex loss; forced deployment beyond 1/(2f) is exact only
///   where it meets its bound, and `exact` says so.
/// Throws InputError for a wrong platform, order or work.
HeterogeneousSolution share_work(const HeterogeneousProblem& problem);

}  // namespace coterie::heuristics
