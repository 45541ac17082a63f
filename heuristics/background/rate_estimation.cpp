#include "heuristics/background/rate_estimation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {
namespace {

void require(const std::vector<double>& intervals, const std::vector<double>& weights) {
  if (intervals.empty()) throw InputError("no intervals; a rate needs at least one");
  if (intervals.size() != weights.size())
    throw InputError(fmt::format("{} intervals but {} weights", intervals.size(), weights.size()));
  for (const double interval : intervals)
    if (!(interval >= 0 && std::isfinite(interval)))
      throw InputError(fmt::format("intervals must be finite and at least 0, not {}", to_text(interval)));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0 && std::isfinite(weights[i])))
      throw InputError(fmt::format("weights must be positive and finite, not {}", to_text(weights[i])));
    if (i > 0 && weights[i] < weights[i - 1])
      throw InputError(
          fmt::format("weights must not decrease, since the newest interval counts most: {} comes after {}",
                      to_text(weights[i]), to_text(weights[i - 1])));
  }
}

}  // namespace

RateEstimate estimate_rate(const std::vector<double>& intervals, const std::vector<double>& weights) {
  require(intervals, weights);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double time = std::inner_product(weights.begin(), weights.end(), intervals.begin(), 0.0);
  if (!(time > 0)) throw InputError("all intervals are 0; a rate needs at least one above 0");
  RateEstimate estimate;
  estimate.rate = sum / time;
  for (const double weight : weights) estimate.effective_size += (weight / sum) * (weight / sum);
  estimate.effective_size = 1 / estimate.effective_size;
  estimate.corrected = estimate.rate * (1 - 1 / estimate.effective_size);
  return estimate;
}

double expected_factor(const std::vector<double>& weights) {
  const auto n = static_cast<double>(weights.size());
  if (weights.size() == 1) return kInfinity;
  if (weights.front() == weights.back()) return n / (n - 1);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  boost::math::quadrature::exp_sinh<double> quadrature;
  return quadrature.integrate([&](double u) {
    double exponent = 0;
    for (const double weight : weights) exponent += std::log1p(u * weight / sum);
    return std::exp(-exponent);
  });
}

std::vector<double> equal_weights(std::size_t count) { return std::vector<double>(count, 1.0); }

std::vector<double> linear_weights(std::size_t count) {
  std::vector<double> weights(count);
  std::iota(weights.begin(), weights.end(), 1.0);
  return weights;
}

std::vector<double> geometric_weights(std::size_t count, double ratio) {
  if (!(ratio > 0 && ratio <= 1))
    throw InputError(fmt::format("the ratio of geometric weights must be in (0, 1], not {}", to_text(ratio)));
  std::vector<double> weights(count);
  double weight = 1;
  for (auto newest = weights.rbegin(); newest != weights.rend(); ++newest, weight *= ratio)
    *newest = std::max(weight, std::numeric_limits<double>::min());  // so old that it does not count
  return weights;
}

}  // namespace coterie::heuristics
