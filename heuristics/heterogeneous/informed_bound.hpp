#pragma once

#include <span>

#include "heuristics/heterogeneous/linear_platform.hpp"
#include "heuristics/heterogeneous/message_plan.hpp"

namespace coterie::heuristics {

/// A bound on what a worker that is served first and alone completes before its interruption: the first line below.
double work_alone(const LinearWorker& worker, double interruption, double startup, Rounds rounds);

/// An upper bound on the work that anyone can complete in one round on these workers, even knowing when each will be
/// interrupted: worker i completes w_i only if it has received and processed it by interruptions[i], and the master
/// sends to one worker at a time, in any order. With y_i = w_i c_i the time of a message, every such schedule has
///   w_i (c_i + d_i) <= T_i            (worker i alone), and
///   sum of y_j over T_j <= t  <= t    for every t (those messages are all sent by t),
/// and the sum of w under these two, a linear programme over a polymatroid, is greatest by serving the fastest links
/// first. Capped by `work`, since any part of a feasible sharing is feasible. Exact for one worker in one
/// round, and if communication is free; otherwise the second line ignores that the last message must also be processed.
/// With a start-up cost eps the first line is w_i c_i + (w_i + eps) d_i <= T_i; if a worker computes while further
/// messages are on the way, w_i c_i <= T_i and (w_i + eps) d_i <= T_i. Copies of work count once, so they are no help
/// to someone who knows the interruptions. Not in heterogeneous-2011. O(p^2). `interruptions`: one per worker, finite,
/// 0 or more.
double informed_work_bound(Platform platform, std::span<const double> interruptions, double work, double startup = 0,
                           Rounds rounds = Rounds::kOne);

}  // namespace coterie::heuristics
