#pragma once

#include <span>

#include "heuristics/linear_platform.hpp"

namespace coterie::heuristics {

/// An upper bound on the work that anyone can complete in one round on these workers, even one who knows when each will
/// be interrupted: worker i completes w_i only if it has received and processed it by interruptions[i], and the master
/// sends to one worker at a time, in any order. With y_i = w_i c_i the time of a message, every such schedule has
///   w_i (c_i + d_i) <= T_i            (worker i alone), and
///   sum of y_j over T_j <= t  <= t    for every t (those messages are all sent by t),
/// and the sum of w under these two, a linear programme over a polymatroid, is greatest by serving the fastest links
/// first. Capped by `work`, since any part of a feasible sharing is feasible. Exact for one worker and where
/// communication is free; elsewhere the second line leaves out that the last message must also be processed.
/// Not in heterogeneous-2011. O(p^2). `interruptions`: one a worker, finite, 0 or more.
double informed_work_bound(Platform platform, std::span<const double> interruptions, double work);

}  // namespace coterie::heuristics
