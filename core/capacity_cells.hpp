#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/risk.hpp"

namespace coterie {

/// Integrals of P(s > x) over cells of width `step`, as many as needed, where s is what one worker can do before it is
/// interrupted: s = min(greatest, max(0, T - startup)). The last cell ends at `greatest`. By Gauss-Legendre rules on
/// intervals that are halved until the law is smooth on each: within 4e-12 times `greatest`, for steep laws, too, if
/// they have a density (CapacityCells.MeansOfSteepLaws...).
std::vector<double> capacity_cells(const Risk& risk, double startup, double greatest, double step);

/// The integral of P(s > x) from `from` to `to`, as precise as over a cell. `breaks`: those of the risk.
double survival_area(const Risk& risk, std::span<const double> breaks, double startup, double from, double to);

/// A lattice for the law of a sum of capacities. If the lattice is shorter than the range of the sum, the rest wraps
/// around to the other end, damped by e^-kDamping: by factors that fall along the lattice and are removed at the end.
/// [Grubel and Hermesmeier 1999, ASTIN Bulletin 29, 197-214]
struct CapacityLattice {
  static constexpr double kDamping = 22;  // to 3e-10; raises rounding in the middle of the lattice 6e4 times

  double step = 0;
  std::size_t points = 0;
  double damping = 0;  ///< from point to point; 0 if the lattice covers the whole range

  /// A lattice for sums up to `period` of `workers` parts, each at most `greatest`.
  static CapacityLattice of(double period, std::size_t points, std::size_t workers, double greatest);
  /// The part of the law that wraps around.
  double returning() const;
  /// The damped law of a part, given the integrals of P(s > .) over the cells: each value is split between its two
  /// neighbours so that the mean stays the same. With G(x) the integral up to x that gives k step the probability (2
  /// G(k h) - G((k-1) h) - G((k+1) h)) / h. `total`: P(s >= 0).
  std::vector<double> damped_masses(std::span<const double> areas, double total = 1) const;
  /// Removes the damping.
  void restore(std::span<double> masses) const;
};

}  // namespace coterie
