#include "sim/totals/value_moments.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/contract.hpp"

namespace coterie::sim {

void ValueMoments::add(double value) {
  ++count;
  const double before = value - mean;
  mean += before / count;
  squares += before * (value - mean);
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
  squares += other.squares + apart * apart * count * other.count / both;
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
  Lanes sums, least, greatest, squares;
  loops.sum_series(series, sums.data(), least.data(), greatest.data());
  ValueMoments moments;
  moments.count = static_cast<double>(series.count);
  moments.mean = sum_of(sums) / moments.count;
  moments.least = *std::min_element(least.begin(), least.end());
  moments.greatest = *std::max_element(greatest.begin(), greatest.end());
  loops.sum_deviations(series, moments.mean, squares.data());
  moments.squares = sum_of(squares);
  return moments;
}

ValueMoments negated(const ValueMoments& moments) {
  // From 0, so that no zero gets a sign.
  return {moments.count, 0 - moments.mean, moments.squares, 0 - moments.greatest, 0 - moments.least};
}

}  // namespace coterie::sim
