#pragma once

#include <vector>

#include "heuristics/heterogeneous/linear_platform.hpp"

namespace coterie::heuristics {

/// How to share a unit of work: shares alpha (order of service, sum 1) and the loss factor f = alpha'Q alpha, so that
/// W units completely deployed yield E = W - f W^2 if no risk exceeds 1.
struct Allocation {
  std::vector<double> shares;
  double loss_factor = 0;
};

/// Shares that minimise the loss factor, for a platform in its best order; workers may get nothing. O(p) per solve.
///   2Q = K (R + L) K, K = diag(kappa_i), R_ij = min(r_i, r_j), r_i = c_i / kappa_i not decreasing,
///   L = diag((c_i + 2 d_i) / kappa_i) > 0: R is the covariance of a random walk, so 2Q is positive definite and the
/// optimum is unique. Block principal pivoting on 2Q x >= 1, x >= 0, with Murty's rule when blocks stop gaining.
/// [heterogeneous-2011, Section 5.4; RESULTS.md, "Why the shares are unique"; Kim and Park 2011]
Allocation optimal_allocation(Platform platform);

/// For an optimal allocation in which every worker has work: lower bounds on the loss factor without worker i, exact if
/// all others keep some work. O(p).
std::vector<double> loss_factors_without(Platform platform, const Allocation& allocation);

}  // namespace coterie::heuristics
