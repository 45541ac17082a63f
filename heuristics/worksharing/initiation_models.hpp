#pragma once

#include <cstddef>
#include <optional>

namespace coterie::heuristics {

/// Bounds on the greatest expected work of n chunks in the other initiation model.
struct OtherModel {
  double at_least = 0;
  double at_most = 0;
};

/// Theorem 1, E^f >= E^c >= E^f - n eps: for the charged-initiation model, from a schedule of the free one. The lower
/// bound holds for the value of any free schedule of d distinct chunks of all workers: each chunk shorter by the
/// start-up cost, or left out, ends no later, and so at most d eps is lost. `greatest_free` is what no free schedule
/// exceeds: the optimum if it is known, otherwise a bound. [worksharing-2013, Section 2.2.4; errata B6]
OtherModel charged_model(double free_value, double greatest_free, std::size_t distinct_chunks, double startup);

/// The reverse: for the free-initiation model, from the value of a charged schedule. E^f <= E^c + d eps holds if that
/// value is proven to be the greatest with n chunks per worker; d, `most_distinct`, is the greatest number of distinct
/// chunks that all workers can have together. Nothing for d: no such proof, or no limit to chunks; then only
/// `free_bound`, which no free schedule exceeds, is known.
OtherModel free_model(double charged_value, std::optional<std::size_t> most_distinct, double startup,
                      double free_bound);

}  // namespace coterie::heuristics
