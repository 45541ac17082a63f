#pragma once

#include <span>

#include "core/infinity.hpp"
#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {

/// The moments on which an interval depends, updated value by value.
struct ValueMoments {
  double count = 0;
  double mean = 0;
  double squares = 0;  ///< sum of squared deviations from the mean
  double least = kInfinity;
  double greatest = -kInfinity;

  /// [Pebay 2008, Formulas for robust, one-pass parallel computation of covariances, SAND2008-6212]
  void add(double value);
  void add(const ValueMoments& other);  ///< adds all values of the other

  bool operator==(const ValueMoments&) const = default;
};

/// Of values without NaN; in two passes, in an order that depends only on their count.
ValueMoments moments_of(const SeriesView& series, const LaneLoops& loops = best_lane_loops());
inline ValueMoments moments_of(std::span<const double> values) {
  return moments_of({values.data(), nullptr, values.size()});
}

/// The same for the negated values.
ValueMoments negated(const ValueMoments& moments);

}  // namespace coterie::sim
