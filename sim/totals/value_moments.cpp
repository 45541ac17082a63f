#include "sim/totals/value_moments.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/contract.hpp"

namespace coterie::sim {

void ValueMoments::add(double value) {
  ++count;
  const double before = value - mean;
  const double step = before / count;
  mean += step;
  const double square = before * (value - mean);
  cubes += square * (before - 2 * step) - 3 * step * squares;
  squares += square;
  least = std::min(least, value);
  greatest = std::max(greatest, value);
}

void ValueMoments::add(const ValueMoments& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const double both = count + other.count;
  const double apart = other.mean - mean;
  const double square = apart * apart * count * other.count / both;
  cubes += other.cubes + square * apart * (count - other.count) / both +
           3 * apart * (count * other.squares - other.count * squares) / both;
  squares += other.squares + square;
  mean += apart * other.count / both;
  count = both;
  least = std::min(least, other.least);
  greatest = std::max(greatest, other.greatest);
}

namespace {

using Lanes = std::array<double, kSumLanes>;

double sum_of(const Lanes& lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

}  // namespace

ValueMoments moments_of(const SeriesView& series, const LaneLoops& loops) {
  COTERIE_REQUIRE(series.count > 0);
  Lanes sums, least, greatest, squares, cubes;
  loops.sum_series(series, sums.data(), least.data(), greatest.data());
  ValueMoments moments;
  moments.count = static_cast<double>(series.count);
  moments.mean = sum_of(sums) / moments.count;
  moments.least = *std::min_element(least.begin(), least.end());
  moments.greatest = *std::max_element(greatest.begin(), greatest.end());
  loops.sum_deviations(series, moments.mean, squares.data(), cubes.data());
  moments.squares = sum_of(squares);
  moments.cubes = sum_of(cubes);
  return moments;
}

ValueMoments negated(const ValueMoments& moments) {
  // From 0, so that no zero gets a sign.
  return {moments.count, 0 - moments.mean, moments.squares, 0 - moments.cubes, 0 - moments.greatest, 0 - moments.least};
}

}  // namespace coterie::sim
