#pragma once

#include <optional>
#include <span>

#include "core/capacity_sum.hpp"
#include "core/schedule.hpp"

namespace coterie {

/// How far expected_ratio goes.
struct RatioEffort {
  double tolerance = 1e-5;  ///< an error that is small enough
  double most = 1e-4;       ///< an error with which nothing is said
  double operations = 2e8;  ///< complex products, at most
};

/// The exact mean, over the interruptions of independent workers, of what a static schedule completes as a part of what
/// an omniscient master does,
///   E[R],  R = A / min(work, S),  or 1 where S = 0;   A: work completed, as in expected_work,
///   S = sum over workers of min(work, max(0, T - startup)).
/// With g(s) = max(0, 1/s - 1/work) it is P(S = 0) + E[A]/work + E[A g(S)], and of the last part
///   E[A; S in ds] = sum over pieces of size x (law of S - law of S where none of the piece's workers completes it),
/// each law a convolution of one part a worker, cut off at its finish time if it runs the piece. They are computed on a
/// lattice of step h that leaves the mean of each part (capacity_cells.hpp), by Fourier transforms: S becomes S'.
///
/// Error. A = 0 where S < a, `a` being how soon anything may be completed. g is replaced below b = max(a, 2 r),
/// r = (1 + sqrt(workers)) h, by its tangent at b, which leaves out at most P(S < b), and nothing if b = a. What is
/// left is convex, so that the lattice adds to it, and at most
///   workers (h^2/3) E[A / max(b, S' - r)^3; b - r <= S' <= work + r] + workers h/(3 work^2) E[A; |S' - work| <= r]:
/// one part after the other moved, each adds at most h^2/8 times the second derivative, 2/s^3, and h/4 times the bend
/// where the sum is within h of it, and what is moved afterwards has a variance of at most workers h^2/4 (Chebyshev, as
/// in CapacitySum::limited_mean). The value is in the middle of what is possible.
///
/// `risks`: one per worker, or one for all; startup >= 0, work > 0 and finite. Nothing where that takes too many
/// operations or leaves too great an error, or where a risk jumps at the start-up: last digits would decide whether S =
/// 0.
std::optional<BoundedNumber> expected_ratio(const Schedule& schedule, std::span<const RiskPtr> risks, double startup,
                                            double work, const RatioEffort& effort = {});

}  // namespace coterie
