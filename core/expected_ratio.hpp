#pragma once

#include <optional>
#include <span>

#include "core/schedule.hpp"

namespace coterie {

/// A number with a bound on its error.
struct BoundedNumber {
  double value = 0;
  double error = 0;
};

/// How far expected_ratio goes.
struct RatioEffort {
  double tolerance = 1e-5;  ///< error that is small enough
  double most = 1e-4;       ///< error above which there is no result
  double operations = 2e8;  ///< complex products, at most
};

/// The exact mean, over the interruptions of independent workers, of the ratio of the work that a static schedule
/// completes to that of an omniscient master,
///   E[R],  R = A / min(work, S),  or 1 if S = 0;   A: work completed, as in expected_work,
///   S = sum over workers of min(work, max(0, T - startup)).
/// With g(s) = max(0, 1/s - 1/work) it is P(S = 0) + E[A]/work + E[A g(S)], and of the last part
///   E[A; S in ds] = sum over pieces of size x (law of S - law of S where none of the piece's workers completes it),
/// each law a convolution of one part per worker, cut off at its finish time if it runs the piece. They are computed on
/// a lattice of step h that preserves the mean of each part (capacity_cells.hpp), by Fourier transforms: S becomes S'.
///
/// Error. A = 0 where S < a, the earliest time at which anything can be complete. Below b = max(a, 2 r), with
/// r = (1 + sqrt(workers)) h, g is replaced by its tangent at b, which leaves out at most P(S < b), and nothing if
/// b = a. The rest is convex, so the lattice can only increase it, by at most
///   workers (h^2/3) E[A / max(b, S' - r)^3; b - r <= S' <= work + r] + workers h/(3 work^2) E[A; |S' - work| <= r]:
/// moving one part after another, each adds at most h^2/8 times the second derivative, 2/s^3, and h/4 times the bend if
/// the sum is within h of it, and the parts moved afterwards have a variance of at most workers h^2/4 (Chebyshev).
/// The value returned is the middle of the possible range.
///
/// `risks`: one per worker, or one for all; startup >= 0, work > 0 and finite. Nothing if that takes too many
/// operations or leaves too large an error, or if P(S = 0) changes by more than 1e-6 very near the start-up, where last
/// digits would decide: at a jump of a risk, or a steep start (one worker, weibull(shape=0.5), startup 0).
std::optional<BoundedNumber> expected_ratio(const Schedule& schedule, std::span<const RiskPtr> risks, double startup,
                                            double work, const RatioEffort& effort = {});

/// P(some T > startup) of the workers: whether anyone gets beyond the start-up. NaN if that changes by more than 1e-6
/// very near it.
BoundedNumber any_capacity(std::span<const RiskPtr> risks, std::size_t workers, double startup, double work);

}  // namespace coterie
