#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/schedule.hpp"

namespace coterie::heuristics {

/// A worker behind its own link, with linear risk Pr(t) = min(1, kappa t). [heterogeneous-2011, Section 2]
struct LinearWorker {
  double speed = 1;      ///< s: work per time, > 0
  double bandwidth = 1;  ///< bw: work per time, > 0; infinite: communication is free
  double risk_rate = 1;  ///< kappa: 1/time, > 0

  double receive() const { return 1 / bandwidth; }  ///< c: time to receive a unit of work
  double compute() const { return 1 / speed; }      ///< d: time to process a unit of work
  /// kappa (c + d): loss factor of the worker alone.
  double alone() const { return risk_rate * (receive() + compute()); }
};

/// Workers in the order in which they are served.
using Platform = std::span<const LinearWorker>;

/// When each worker ends: t_i = sum_{j <= i} w_j c_j + w_i d_i; the master sends without a break.
/// `shares` in the order of service.
std::vector<double> finish_times(Platform platform, std::span<const double> shares);

/// Exact expected work, sum of w_i (1 - min(1, kappa_i t_i)). A worker without work does not count.
double expected_work(Platform platform, std::span<const double> shares);

/// w'Qw = sum of w_i kappa_i t_i: the expected work lost if no risk exceeds 1, in units of work.
double expected_loss(Platform platform, std::span<const double> shares);

/// Indices of the workers by non-increasing property, equal ones in the order of the list.
std::vector<std::size_t> descending(Platform workers, double LinearWorker::*property);

/// Indices of the workers by non-increasing kappa bw, the best order of service (Conjecture 1, proved in RESULTS.md).
/// Products that agree to about 1e-13 keep the order of the list.
std::vector<std::size_t> best_order(Platform workers);

/// Whether the platform is served by non-increasing kappa bw.
bool in_best_order(Platform platform);

}  // namespace coterie::heuristics
