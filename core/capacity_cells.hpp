#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/risk.hpp"

namespace coterie {

/// Integrals over one cell [x, x + step] of P(s > x) and of x P(s > x), s being what one worker can do before it is
/// interrupted: s = min(greatest, max(0, T - startup)).
struct CapacityCell {
  double area = 0;
  double moment = 0;
};

/// As many cells of width `step` as it takes; the last one ends with `greatest`.
std::vector<CapacityCell> capacity_cells(const Risk& risk, double startup, double greatest, double step);

/// The integral of P(s > x) from `from` to `to`, as precise as that over a cell. `breaks`: those of the risk.
double survival_area(const Risk& risk, std::span<const double> breaks, double startup, double from, double to);

/// A lattice for the law of a sum of capacities. Where it does not hold the whole of the sum, what lies beyond comes
/// back from the other end, damped by e^-kDamping: by factors that fall along the lattice and are taken back in the
/// end. [Grubel and Hermesmeier 1999, ASTIN Bulletin 29, 197-214]
struct CapacityLattice {
  static constexpr double kDamping = 22;  // to 3e-10; raises rounding in the middle of the lattice 6e4 times

  double step = 0;
  std::size_t points = 0;
  double damping = 0;  ///< from point to point; 0 where the lattice holds all

  /// Of the sums up to `period` of `workers` parts, each at most `greatest`.
  static CapacityLattice of(double period, std::size_t points, std::size_t workers, double greatest);
  /// What comes back from the other end, as a part of all.
  double returning() const;
  /// The law of a part, of which these are the integrals of P(s > .) over the cells, damped: each value is shared by
  /// its two neighbours so that the mean stays. With G(x) the integral up to x that gives k step the probability (2 G(k
  /// h) - G((k-1) h) - G((k+1) h)) / h. `total`: P(s >= 0).
  std::vector<double> damped_masses(std::span<const double> areas, double total = 1) const;
  /// Takes the damping back.
  void restore(std::span<double> masses) const;
};

}  // namespace coterie
