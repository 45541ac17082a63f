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

constexpr std::size_t kLanes = 8;  // sums that do not wait for one another
using Lanes = std::array<double, kLanes>;

double sum_of(const Lanes& lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

}  // namespace

ValueMoments moments_of(std::span<const double> values) {
  COTERIE_REQUIRE(!values.empty());
  const std::size_t whole = values.size() - values.size() % kLanes;
  const double* const data = values.data();
  Lanes sum{};
  Lanes least;
  Lanes greatest;
  least.fill(data[0]);
  greatest.fill(data[0]);
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = data[i + lane];
      sum[lane] += value;
      least[lane] = value < least[lane] ? value : least[lane];
      greatest[lane] = value > greatest[lane] ? value : greatest[lane];
    }
  for (std::size_t i = whole; i < values.size(); ++i) {
    sum[i - whole] += data[i];
    least[i - whole] = std::min(least[i - whole], data[i]);
    greatest[i - whole] = std::max(greatest[i - whole], data[i]);
  }
  ValueMoments moments;
  moments.count = static_cast<double>(values.size());
  moments.mean = sum_of(sum) / moments.count;
  moments.least = *std::min_element(least.begin(), least.end());
  moments.greatest = *std::max_element(greatest.begin(), greatest.end());
  Lanes squares{};
  Lanes cubes{};
  const auto deviate = [&](std::size_t lane, double value) {
    const double deviation = value - moments.mean;
    const double square = deviation * deviation;
    squares[lane] += square;
    cubes[lane] += square * deviation;
  };
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) deviate(lane, data[i + lane]);
  for (std::size_t i = whole; i < values.size(); ++i) deviate(i - whole, data[i]);
  moments.squares = sum_of(squares);
  moments.cubes = sum_of(cubes);
  return moments;
}

ValueMoments negated(const ValueMoments& moments) {
  // From 0, so that no zero gets a sign.
  return {moments.count, 0 - moments.mean, moments.squares, 0 - moments.cubes, 0 - moments.greatest, 0 - moments.least};
}

}  // namespace coterie::sim
