#include "traces/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

#include "core/expression.hpp"
#include "core/risk.hpp"
#include "core/text.hpp"

namespace coterie::traces {
namespace {

using boost::math::constants::half;
using boost::math::constants::root_two;
using boost::math::constants::root_two_pi;

/// Equal durations counted once. Values are divided by the longest, so that powers of them stay in range.
struct Sample {
  double value;
  double log_value;
  double observed;  ///< how many ended by an interruption
  double censored;  ///< how many did not
  double count() const { return observed + censored; }
};

struct Data {
  std::vector<Sample> samples;
  double scale = 1;
  double observed = 0;
  double count = 0;
};

Data data_of(const Durations& durations) {
  Data data;
  data.scale = durations.longest();
  for (const Duration& duration : durations.values()) {
    const double value = duration.value / data.scale;
    if (data.samples.empty() || data.samples.back().value < value)
      data.samples.push_back({value, std::log(value), 0, 0});
    (duration.observed ? data.samples.back().observed : data.samples.back().censored) += 1;
    data.observed += duration.observed ? 1 : 0;
    data.count += 1;
  }
  return data;
}

/// Sum over the samples of weight(sample) * value(sample).
template <typename Term>
double sum(const Data& data, Term term) {
  double total = 0;
  for (const Sample& sample : data.samples) total += term(sample);
  return total;
}

constexpr const char* kConcentrated = "all interruptions come at the longest duration: the likelihood has no maximum";

bool concentrated(const Data& data) {
  return std::all_of(data.samples.begin(), data.samples.end() - 1, [](const Sample& s) { return s.observed == 0; });
}

FittedLaw law_of(const std::string& name, std::vector<std::pair<std::string, double>> parameters,
                 double log_likelihood) {
  FittedLaw law;
  law.name = name;
  law.log_likelihood = log_likelihood;
  std::string arguments;
  for (const auto& [key, value] : parameters)
    arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", key, to_text(value));
  law.parameters = std::move(parameters);
  law.risk = fmt::format("{}({})", name, arguments);
  return law;
}

FittedLaw failed(const std::string& name, const std::string& problem) {
  FittedLaw law;
  law.name = name;
  law.problem = problem;
  return law;
}

/// rate = interruptions / total time.
FittedLaw fit_exponential(const Data& data) {
  const double rate = data.observed / (sum(data, [](const Sample& s) { return s.count() * s.value; }) * data.scale);
  return law_of("exponential", {{"rate", rate}}, data.observed * (std::log(rate) - 1));
}

/// The shape k solves sum t^k ln t / sum t^k - 1/k = mean of ln t over the observed; the left side increases in k.
FittedLaw fit_weibull(const Data& data) {
  if (concentrated(data)) return failed("weibull", kConcentrated);
  const double mean_log = sum(data, [](const Sample& s) { return s.observed * s.log_value; }) / data.observed;
  const auto gap = [&](double k) {
    double powers = 0;
    double weighted = 0;
    for (const Sample& s : data.samples) {
      const double power = s.count() * std::exp(k * s.log_value);
      powers += power;
      weighted += power * s.log_value;
    }
    return weighted / powers - 1 / k - mean_log;
  };
  double low = 1;
  double high = 1;
  while (gap(low) > 0) low /= 2;
  while (gap(high) < 0) high *= 2;
  std::uintmax_t iterations = 200;
  const auto [a, b] = low == high ? std::pair(low, high)
                                  : boost::math::tools::toms748_solve(
                                        gap, low, high, boost::math::tools::eps_tolerance<double>(50), iterations);
  const double shape = half<double>() * (a + b);
  const double powers = sum(data, [&](const Sample& s) { return s.count() * std::exp(shape * s.log_value); });
  const double scale = std::pow(powers / data.observed, 1 / shape);
  const double log_likelihood =
      data.observed * (std::log(shape) - shape * std::log(scale) + (shape - 1) * mean_log - 1 - std::log(data.scale));
  return law_of("weibull", {{"shape", shape}, {"scale", scale * data.scale}}, log_likelihood);
}

/// The standard normal's P(Z > z) in logarithm, and its hazard.
struct NormalTail {
  double log_tail;
  double hazard;
};

NormalTail normal_tail(double z) {
  constexpr double kFar = 25;  // from there on four terms of the asymptotic series are exact to double precision
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

LognormalPoint lognormal_at(const Data& data, double precision, double location) {
  LognormalPoint p;
  const double log_constant = std::log(precision) - std::log(root_two_pi<double>());
  for (const Sample& s : data.samples) {
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
    if (s.censored > 0) {
      const auto [log_tail, hazard] = normal_tail(z);
      const double slope = hazard * (hazard - z);
      p.value += s.censored * log_tail;
      p.gradient[0] -= s.censored * hazard * y;
      p.gradient[1] += s.censored * hazard;
      p.curvature[0] += s.censored * slope * y * y;
      p.curvature[1] -= s.censored * slope * y;
      p.curvature[2] += s.censored * slope;
    }
  }
  return p;
}

FittedLaw fit_lognormal(const Data& data) {
  if (concentrated(data)) return failed("lognormal", kConcentrated);
  // Start from the moments of all logarithms, as if nothing were censored; that is the answer where nothing is.
  const double mean = sum(data, [](const Sample& s) { return s.count() * s.log_value; }) / data.count;
  const double variance =
      sum(data, [&](const Sample& s) { return s.count() * (s.log_value - mean) * (s.log_value - mean); }) / data.count;
  double precision = 1 / std::sqrt(variance);
  double location = mean * precision;
  LognormalPoint at = lognormal_at(data, precision, location);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const auto [a, b, c] = at.curvature;
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
  return law_of("lognormal", {{"median", data.scale * std::exp(location / precision)}, {"sigma", 1 / precision}},
                log_likelihood);
}

/// logit p, ln rate1, ln rate2: any three numbers are a law.
using Mixture = std::array<double, 3>;

/// One step of expectation-maximisation with the phase as what is hidden; returns the likelihood of `from`.
/// A censored duration stays in its phase with the tail's weight, so rate = interruptions / time in both.
double em_step(const Data& data, const Mixture& from, Mixture& to) {
  const double log_p = -std::log1p(std::exp(-from[0]));
  const double log_q = -std::log1p(std::exp(from[0]));
  const double rate1 = std::exp(from[1]);
  const double rate2 = std::exp(from[2]);
  double likelihood = 0;
  std::array<double, 2> members{};
  std::array<double, 2> interruptions{};
  std::array<double, 2> time{};
  const auto share = [&](double tail1, double tail2, double count, double value, bool observed) {
    if (count == 0) return;
    const double ratio = std::exp(-std::abs(tail1 - tail2));  // of the less to the more likely phase
    likelihood += count * (std::max(tail1, tail2) + std::log1p(ratio));
    const double larger = count / (1 + ratio);
    const double smaller = larger * ratio;
    const double first = tail1 > tail2 ? larger : smaller;
    const double second = tail1 > tail2 ? smaller : larger;
    members[0] += first;
    members[1] += second;
    time[0] += first * value;
    time[1] += second * value;
    if (!observed) return;
    interruptions[0] += first;
    interruptions[1] += second;
  };
  for (const Sample& s : data.samples) {
    const double tail1 = log_p - rate1 * s.value;
    const double tail2 = log_q - rate2 * s.value;
    share(tail1 + from[1], tail2 + from[2], s.observed, s.value, true);
    share(tail1, tail2, s.censored, s.value, false);
  }
  to[0] = std::log(members[0]) - std::log(members[1]);
  to[1] = std::log(interruptions[0]) - std::log(time[0]);
  to[2] = std::log(interruptions[1]) - std::log(time[1]);
  return likelihood;
}

bool finite(const Mixture& m) {
  return std::all_of(m.begin(), m.end(), [](double x) { return std::isfinite(x); });
}

/// Two steps of EM extrapolated, never to a lower likelihood (SQUAREM; Varadhan, Roland 2008, scheme S3).
Mixture fit_mixture(const Data& data, Mixture at, double& likelihood) {
  constexpr int kMostRounds = 1000;
  constexpr double kNoGain = 1e-10;  // per duration, twice in a row
  int idle = 0;
  Mixture one{};
  Mixture two{};
  Mixture after{};
  likelihood = em_step(data, at, one);
  for (int round = 0; round < kMostRounds && finite(one); ++round) {
    const double at_one = em_step(data, one, two);
    double rise = 0;
    double bend = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      rise += (one[i] - at[i]) * (one[i] - at[i]);
      bend += (two[i] - 2 * one[i] + at[i]) * (two[i] - 2 * one[i] + at[i]);
    }
    if (!finite(two) || rise < 1e-22) return one;
    const double length = bend > 0 ? std::max(1.0, std::sqrt(rise / bend)) : 1.0;
    Mixture leap{};
    for (std::size_t i = 0; i < 3; ++i)
      leap[i] = at[i] + 2 * length * (one[i] - at[i]) + length * length * (two[i] - 2 * one[i] + at[i]);
    double at_leap = finite(leap) ? em_step(data, leap, after) : -std::numeric_limits<double>::infinity();
    if (!(at_leap >= at_one) || !finite(after)) {
      leap = two;
      at_leap = em_step(data, leap, after);
    }
    at = leap;
    one = after;
    idle = at_leap - likelihood <= kNoGain * data.count ? idle + 1 : 0;
    likelihood = at_leap;
    if (idle == 2) break;
  }
  return at;
}

FittedLaw fit_hyperexponential(const Data& data) {
  // Start with the shorter half in one phase and the longer in the other.
  double seen = 0;
  std::array<double, 2> time{};
  for (const Sample& s : data.samples) {
    time[seen < half<double>() * data.count ? 0 : 1] += s.count() * s.value;
    seen += s.count();
  }
  const double rate = data.observed / (time[0] + time[1]);
  const double fast = time[1] > 0 ? half<double>() * data.observed / time[0] : 2 * rate;
  const double slow = time[1] > 0 ? half<double>() * data.observed / time[1] : half<double>() * rate;
  double log_likelihood = 0;
  Mixture fitted = fit_mixture(data, {0.0, std::log(fast), std::log(slow)}, log_likelihood);
  if (!finite(fitted))
    return failed("hyperexponential", "one of the two phases dies out; the exponential law says all");
  if (fitted[1] < fitted[2]) fitted = {-fitted[0], fitted[2], fitted[1]};
  return law_of("hyperexponential",
                {{"p", 1 / (1 + std::exp(-fitted[0]))},
                 {"rate1", std::exp(fitted[1]) / data.scale},
                 {"rate2", std::exp(fitted[2]) / data.scale}},
                log_likelihood - data.observed * std::log(data.scale));
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
  if (positive.observed() == 0)
    throw InputError("no spell of positive length was seen to end by an interruption: there is nothing to fit");
  const Data data = data_of(positive);
  std::vector<FittedLaw> laws = {fit_exponential(data), fit_weibull(data), fit_lognormal(data),
                                 fit_hyperexponential(data)};
  const StepLaw empirical = kaplan_meier_law(positive);
  for (FittedLaw& law : laws)
    if (law.problem.empty()) law.ks = ks_distance(empirical, positive.longest(), law);
  return laws;
}

}  // namespace coterie::traces
