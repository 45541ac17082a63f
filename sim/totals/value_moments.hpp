#pragma once

#include <limits>
#include <span>

#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {

/// What an interval depends on: moments of values, taken in one after the other.
struct ValueMoments {
  double count = 0;
  double mean = 0;
  double squares = 0;  ///< sums of deviations from the mean: squared,
  double cubes = 0;    ///< and to the third power
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  /// [Pebay 2008, Formulas for robust, one-pass parallel computation of covariances, SAND2008-6212]
  void add(double value);
  void add(const ValueMoments& other);  ///< the same of its values

  bool operator==(const ValueMoments&) const = default;
};

/// Of some values that are all numbers; two passes, in an order that hangs on nothing but their count.
ValueMoments moments_of(const SeriesView& series, const LaneLoops& loops = best_lane_loops());
inline ValueMoments moments_of(std::span<const double> values) {
  return moments_of({values.data(), nullptr, values.size()});
}

/// The same of the values with the other sign.
ValueMoments negated(const ValueMoments& moments);

}  // namespace coterie::sim
