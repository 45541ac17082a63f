#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "core/capacity_cells.hpp"
#include "core/risk.hpp"

namespace coterie {

/// A number with a bound on its error.
struct BoundedNumber {
  double value = 0;
  double error = 0;
};

/// What `workers` independent workers can do together before they are interrupted,
///   S = sum over workers of min(limit, max(0, T - startup)),
/// in law: its moments, and what an omniscient master with a given workload completes. The limit keeps the moments
/// finite if a worker may never be interrupted; it does not affect workloads up to it.
class CapacitySum {
 public:
  /// `risks`: one per worker, or one for all; startup >= 0, limit > 0 and finite.
  CapacitySum(std::vector<RiskPtr> risks, std::size_t workers, double startup, double limit);

  /// The greatest value of one worker's part.
  double greatest_part() const { return greatest_; }
  /// P(S > 0): some worker gets beyond its start-up. NaN if that changes by more than 1e-6 very near the start-up, at a
  /// jump of a risk or where one rises steeply, because then the last digits of a draw would decide.
  BoundedNumber positive() const { return positive_; }
  BoundedNumber mean() const;
  BoundedNumber variance() const;

  /// E[min(work, S)], work > 0. The parts are put on a lattice of step h, each value split between its two neighbours
  /// so that the mean stays the same, and their laws are convolved by Fourier transforms. If S' is their sum, then,
  /// because min(work, .) is concave and bends at one place only,
  ///   0 <= E[min(work, S)] - E[min(work, S')] <= workers (h/3) P(|S' - work| < (1 + sqrt(workers)) h):
  /// moving one part after another, each changes the mean by at most h/4, and only if the sum is within h of the bend;
  /// the parts moved afterwards, with a variance of at most workers h^2/4, keep it within (1 + sqrt(workers)) h in
  /// three cases of four (Chebyshev). The value returned lies in between, where it would be for smooth laws. The
  /// lattice is refined until the bound is small, it has some 10^5 points (above 1000 workers up to 512 for each) or
  /// many distinct risks would take too long, and is kept. Where even the first one would, of thousands of distinct
  /// risks, the bounds are those that mean and variance give. Not thread-safe.
  BoundedNumber limited_mean(double work);
  std::size_t kept_points() const;  ///< of its lattices, 8 bytes each

 private:
  struct Part {
    RiskPtr risk;
    std::size_t workers = 0;
  };
  struct Law {
    CapacityLattice lattice;
    std::vector<double> probability;  // of S' = k step
  };
  BoundedNumber some_beyond(double time, double margin) const;
  const Law& law(double period, std::size_t points);
  BoundedNumber on(const Law& law, double work) const;
  /// E min(work, S) = (work + E S - E|S - work|) / 2, where |E S - work|^2 <= E^2|S - work| <= Var S + (E S - work)^2.
  BoundedNumber limited_mean_by_moments(double work) const;

  std::vector<Part> parts_;  // one for each distinct risk
  std::size_t workers_;
  double startup_;
  double greatest_ = 0;
  BoundedNumber positive_;
  double mean_ = 0;
  double variance_ = 0;
  std::map<std::pair<double, std::size_t>, Law> laws_;  // by period and points
};

}  // namespace coterie
