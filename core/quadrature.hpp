#pragma once

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

namespace coterie {

/// The integral of a function over [from, to], finite, by rules of 31 points on intervals that are halved, at most
/// `depth` times, until each rule and its Gauss rule of 15 points agree to `error`, which is shared among the halves.
/// (gauss_kronrod's own halving, in Boost 1.74, compares errors per half-width with tolerances of the whole: wide
/// intervals are not halved enough, and narrow ones always.)
template <class Function>
double integral_within(const Function& function, double from, double to, unsigned depth, double error) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  const double half = (to - from) / 2;
  const double middle = from + half;
  double found = 0;
  const double mean = Rule::integrate([&](double x) { return function(middle + half * x); }, -1.0, 1.0, 0, 0.0, &found);
  if (depth == 0 || half * found <= error || !std::isfinite(mean)) return half * mean;
  return integral_within(function, from, middle, depth - 1, error / 2) +
         integral_within(function, middle, to, depth - 1, error / 2);
}

}  // namespace coterie
