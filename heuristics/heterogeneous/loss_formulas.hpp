#pragma once

#include "heuristics/heterogeneous/loss_allocation.hpp"

namespace coterie::heuristics {

/// The closed formulas of heterogeneous-2011, in forms that only add and multiply positive terms. z = kappa / bw,
/// x = kappa / s, c = 1 / bw, d = 1 / s. Each states the platform it is for; the caller checks it.

/// Free communication: alpha_i = (1/x_i) / S, f = 1/S, S = sum of 1/x_i. Risk rates may differ. [Theorem 1; errata C18]
Allocation free_communication(Platform platform);

/// Identical workers: alpha_i = 1/p, f = ((p + 1) z + 2 x) / (2 p). [Theorem 2; errata C19]
Allocation identical_workers(Platform platform);

/// Only speeds differ: f = z/2 + 1/S, alpha_i = (1 / (x_i + z/2)) / S, S = sum of 1 / (x_i + z/2). [Theorem 3,
/// Corollary 1]
Allocation different_speeds(Platform platform);

/// Only bandwidths differ, not increasing: u_p = 1, R_p = 0,
///   u_i = [u_{i+1} (2 c_{i+1} - c_i + 2d) + (c_{i+1} - c_i) R_{i+1}] / (c_i + 2d),  R_i = R_{i+1} + u_{i+1},
/// alpha = u / sum u. [Theorem 4, corrected: errata A14]
Allocation different_bandwidths(Platform platform);

/// The same platform by the recurrence as printed, which fixes the first shares too early: not optimal for p >= 3
/// unless bw_1 = ... = bw_{p-1}. [Theorem 4 as printed; errata A14]
Allocation printed_different_bandwidths(Platform platform);

/// Only risk rates differ, not increasing: with h = c/2 + d, G_1 = kappa_1 h, H = G_{i-1} + (kappa_{i-1} - kappa_i)
/// c/2,
///   1/G_i = 1/H + 1/(kappa_i h),  1 - Y_i = H / (H + kappa_i h),  f = G_p + kappa_p c/2. [Theorem 5; errata B17]
Allocation different_risks(Platform platform);

/// Two workers in the order given, which need not be the best one: maximum of E(Y) = W - a Y^2 + b W Y - g W^2 over
/// Y in [0, W]. If every Y is equally good, Y = 0. [Section 5.4, corrected: errata A15, C23]
Allocation two_workers_in_order(Platform platform);

}  // namespace coterie::heuristics
