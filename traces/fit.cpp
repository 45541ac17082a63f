#include "traces/fit.hpp"

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "core/expression.hpp"
#include "core/risk.hpp"
#include "traces/fit_data.hpp"
#include "traces/hyperexponential_fit.hpp"

namespace coterie::traces {
namespace {

using boost::math::constants::half;
using boost::math::constants::root_two;
using boost::math::constants::root_two_pi;

constexpr const char* kConcentrated = "all interruptions come at the longest duration: the likelihood has no maximum";

bool concentrated(const FitData& data) {
  return std::all_of(data.samples.begin(), data.samples.end() - 1, [](const FitSample& s) { return s.observed == 0; });
}

/// rate = interruptions / total time.
FittedLaw fit_exponential(const FitData& data) {
  const double rate = data.observed / (sum(data, [](const FitSample& s) { return s.count() * s.value; }) * data.scale);
  return fitted_law("exponential", {{"rate", rate}}, data.observed * (std::log(rate) - 1));
}

/// The shape k solves sum t^k ln t / sum t^k - 1/k = mean of ln t over the observed; the left side increases in k.
FittedLaw fit_weibull(const FitData& data) {
  if (concentrated(data)) return unfitted_law("weibull", kConcentrated);
  const double mean_log = sum(data, [](const FitSample& s) { return s.observed * s.log_value; }) / data.observed;
  const auto gap = [&](double k) {
    double powers = 0;
    double weighted = 0;
    for (const FitSample& s : data.samples) {
      const double power = s.count() * std::exp(k * s.log_value);
      powers += power;
      weighted += power * s.log_value;
    }
    return weighted / powers - 1 / k - mean_log;
  };
  double low = 1;
  double high = 1;
  constexpr double kExtreme = 1e6;  // of a shape; without delayed entries the gap changes its sign before
  while (gap(low) > 0 && low > 1 / kExtreme) low /= 2;
  while (gap(high) < 0 && high < kExtreme) high *= 2;
  if (gap(low) > 0 || gap(high) < 0) return unfitted_law("weibull", "the likelihood has no maximum");
  std::uintmax_t iterations = 200;
  const auto [a, b] = low == high ? std::pair(low, high)
                                  : boost::math::tools::toms748_solve(
                                        gap, low, high, boost::math::tools::eps_tolerance<double>(50), iterations);
  const double shape = half<double>() * (a + b);
  const double powers = sum(data, [&](const FitSample& s) { return s.count() * std::exp(shape * s.log_value); });
  const double scale = std::pow(powers / data.observed, 1 / shape);
  const double log_likelihood =
      data.observed * (std::log(shape) - shape * std::log(scale) + (shape - 1) * mean_log - 1 - std::log(data.scale));
  return fitted_law("weibull", {{"shape", shape}, {"scale", scale * data.scale}}, log_likelihood);
}

/// The standard normal's P(Z > z) in logarithm, and its hazard.
struct NormalTail {
  double log_tail;
  double hazard;
};

NormalTail normal_tail(double z) {
  constexpr double kFar = 25;  // beyond it, four terms of the asymptotic series are within 1e-11
  const double log_density = -half<double>() * z * z - std::log(root_two_pi<double>());
  if (z > kFar) {
    const double y = 1 / (z * z);
    const double mills = (1 - y * (1 - y * (3 - y * (15 - 105 * y)))) / z;
    return {log_density + std::log(mills), 1 / mills};
  }
  const double tail = half<double>() * std::erfc(z / root_two<double>());
  return {std::log(tail), std::exp(log_density) / tail};
}

/// The lognormal likelihood in precision = 1/sigma and location = mu/sigma, in which it is concave (Olsen 1978).
struct LognormalPoint {
  double value = 0;
  std::array<double, 2> gradient{};
  std::array<double, 3> curvature{};  ///< minus the Hessian: (precision, precision), mixed, (location, location)
};

LognormalPoint lognormal_at(const FitData& data, double precision, double location) {
  LognormalPoint p;
  const double log_constant = std::log(precision) - std::log(root_two_pi<double>());
  for (const FitSample& s : data.samples) {
    const double y = s.log_value;
    const double z = precision * y - location;
    if (s.observed > 0) {
      p.value += s.observed * (log_constant - half<double>() * z * z - y);
      p.gradient[0] += s.observed * (1 / precision - z * y);
      p.gradient[1] += s.observed * z;
      p.curvature[0] += s.observed * (1 / (precision * precision) + y * y);
      p.curvature[1] -= s.observed * y;
      p.curvature[2] += s.observed;
    }
    if (s.tails() != 0) {
      const auto [log_tail, hazard] = normal_tail(z);
      const double slope = hazard * (hazard - z);
      p.value += s.tails() * log_tail;
      p.gradient[0] -= s.tails() * hazard * y;
      p.gradient[1] += s.tails() * hazard;
      p.curvature[0] += s.tails() * slope * y * y;
      p.curvature[1] -= s.tails() * slope * y;
      p.curvature[2] += s.tails() * slope;
    }
  }
  return p;
}

FittedLaw fit_lognormal(const FitData& data) {
  if (concentrated(data)) return unfitted_law("lognormal", kConcentrated);
  // Start from the moments of all logarithms, as if nothing were censored; that is the answer if nothing is.
  const auto ended = [](const FitSample& s) { return s.observed + s.censored; };
  const double mean = sum(data, [&](const FitSample& s) { return ended(s) * s.log_value; }) / data.count;
  const double variance =
      sum(data, [&](const FitSample& s) { return ended(s) * (s.log_value - mean) * (s.log_value - mean); }) /
      data.count;
  double precision = 1 / std::sqrt(variance);
  double location = mean * precision;
  LognormalPoint at = lognormal_at(data, precision, location);
  for (int iteration = 0; iteration < 200; ++iteration) {
    auto [a, b, c] = at.curvature;
    if (!(a > 0 && a * c > b * b)) {  // delayed entries may bend it the other way: climb along the gradient
      a = c = std::max(std::abs(a), std::abs(c));
      b = 0;
    }
    const double determinant = a * c - b * b;
    const double step_precision = (c * at.gradient[0] - b * at.gradient[1]) / determinant;
    const double step_location = (a * at.gradient[1] - b * at.gradient[0]) / determinant;
    if (!std::isfinite(step_precision) || !std::isfinite(step_location)) break;
    // Twice what a full step can still gain in the quadratic model.
    const double decrement = step_precision * at.gradient[0] + step_location * at.gradient[1];
    if (decrement <= 1e-14 * std::abs(at.value)) break;
    double length = 1;
    LognormalPoint next;
    for (; length > 1e-10; length /= 2) {
      if (precision + length * step_precision <= 0) continue;
      next = lognormal_at(data, precision + length * step_precision, location + length * step_location);
      if (next.value >= at.value) break;
    }
    if (length <= 1e-10) break;
    const double gain = next.value - at.value;
    precision += length * step_precision;
    location += length * step_location;
    at = next;
    if (length == 1 && gain <= 1e-13 * std::abs(at.value)) break;
  }
  const double log_likelihood = at.value - data.observed * std::log(data.scale);
  return fitted_law("lognormal", {{"median", data.scale * std::exp(location / precision)}, {"sigma", 1 / precision}},
                    log_likelihood);
}

/// sup |empirical - law| over the times up to the longest, the empirical law by Kaplan-Meier.
double ks_distance(const StepLaw& empirical, double longest, const FittedLaw& law) {
  const RiskPtr risk = make_parametric_risk(Expression::parse(law.risk));
  double below = 0;
  double distance = 0;
  for (std::size_t i = 0; i < empirical.times.size(); ++i) {
    const double probability = risk->probability(empirical.times[i]);
    const double above = below + empirical.weights[i];
    distance = std::max({distance, std::abs(probability - below), std::abs(probability - above)});
    below = above;
  }
  return std::max(distance, std::abs(risk->probability(longest) - below));
}

}  // namespace

std::vector<FittedLaw> fit_laws(const Durations& durations) {
  const Durations positive = durations.without_zeros();
  const auto none = [] {
    return InputError("no spell of positive length ended with an interruption: there is nothing to fit");
  };
  if (positive.observed() == 0) throw none();
  const FitData data = fit_data(positive);
  if (data.observed == 0) throw none();
  std::vector<FittedLaw> laws = {fit_exponential(data), fit_weibull(data), fit_lognormal(data),
                                 fit_hyperexponential(data)};
  const StepLaw empirical = kaplan_meier_law(positive);
  for (FittedLaw& law : laws)
    if (law.problem.empty()) law.ks = ks_distance(empirical, positive.longest(), law);
  return laws;
}

}  // namespace coterie::traces
