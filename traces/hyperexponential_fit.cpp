#include "traces/hyperexponential_fit.hpp"

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <cmath>

#include "core/infinity.hpp"

namespace coterie::traces {
namespace {

using boost::math::constants::half;

/// logit p, ln rate1, ln rate2: any three numbers define a law.
using Mixture = std::array<double, 3>;

/// One step of expectation-maximisation with the phase as the hidden variable; returns the likelihood of `from`.
/// A censored duration stays in its phase with the tail's weight, so rate = interruptions / time in both.
double em_step(const FitData& data, const Mixture& from, Mixture& to) {
  const double log_p = -std::log1p(std::exp(-from[0]));
  const double log_q = -std::log1p(std::exp(from[0]));
  const double rate1 = std::exp(from[1]);
  const double rate2 = std::exp(from[2]);
  double likelihood = 0;
  std::array<double, 2> members{};
  std::array<double, 2> interruptions{};
  std::array<double, 2> time{};
  // Of the spells that were not observed because they ended before that age, as many as are to be expected.
  const auto unseen = [&](double entered, double age) {
    const double first = std::exp(log_p - rate1 * age);
    const double second = std::exp(log_q - rate2 * age);
    likelihood -= entered * std::log(first + second);
    const std::array<double, 2> weight = {std::exp(log_p), std::exp(log_q)};
    const std::array<double, 2> rate = {rate1, rate2};
    for (std::size_t j = 0; j < 2; ++j) {
      const double x = rate[j] * age;
      const double ended = entered * weight[j] * -std::expm1(-x) / (first + second);
      members[j] += ended;
      interruptions[j] += ended;
      time[j] += entered * weight[j] * (-std::expm1(-x) - x * std::exp(-x)) / rate[j] / (first + second);
    }
  };
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
  for (const FitSample& s : data.samples) {
    const double tail1 = log_p - rate1 * s.value;
    const double tail2 = log_q - rate2 * s.value;
    share(tail1 + from[1], tail2 + from[2], s.observed, s.value, true);
    share(tail1, tail2, s.censored, s.value, false);
    if (s.entered > 0) unseen(s.entered, s.value);
  }
  to[0] = std::log(members[0]) - std::log(members[1]);
  to[1] = std::log(interruptions[0]) - std::log(time[0]);
  to[2] = std::log(interruptions[1]) - std::log(time[1]);
  return likelihood;
}

bool finite(const Mixture& m) {
  return std::all_of(m.begin(), m.end(), [](double x) { return std::isfinite(x); });
}

constexpr double kNoGain = 1e-10;  // per duration, twice in a row

/// Two steps of EM extrapolated, never to a lower likelihood (SQUAREM; Varadhan, Roland 2008, scheme S3).
Mixture fit_mixture(const FitData& data, Mixture at, double& likelihood) {
  constexpr int kMostRounds = 1000;
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
    double at_leap = finite(leap) ? em_step(data, leap, after) : -kInfinity;
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

}  // namespace

/// The shortest `part` of the spells in the first phase and the others in the second, as where EM may start.
Mixture split_at(const FitData& data, double part) {
  std::array<double, 2> time{};
  std::array<double, 2> interruptions{half<double>(), half<double>()};  // not none
  double seen = 0;
  for (const FitSample& s : data.samples) {
    const std::size_t phase = seen < part * data.count ? 0 : 1;
    time[phase] += s.count() * s.value;
    interruptions[phase] += s.observed;
    seen += s.observed + s.censored;
  }
  return {std::log(part) - std::log1p(-part), std::log(interruptions[0] / time[0]),
          std::log(interruptions[1] / time[1])};
}

FittedLaw fit_hyperexponential(const FitData& data) {
  // Start with the shorter half in one phase and the longer in the other.
  double seen = 0;
  std::array<double, 2> time{};
  for (const FitSample& s : data.samples) {
    time[seen < half<double>() * data.count ? 0 : 1] += s.count() * s.value;
    seen += s.observed + s.censored;
  }
  const double rate = data.observed / (time[0] + time[1]);
  double fast = half<double>() * data.observed / time[0];
  double slow = half<double>() * data.observed / time[1];
  const Mixture around{0.0, std::log(2 * rate), std::log(half<double>() * rate)};
  // From equal rates no step leads away, although two may be more likely.
  constexpr double kApart = 1.1;
  const bool apart = std::max(fast, slow) > kApart * std::min(fast, slow) && time[1] > 0;
  double log_likelihood = 0;
  Mixture fitted = fit_mixture(data, apart ? Mixture{0.0, std::log(fast), std::log(slow)} : around, log_likelihood);
  // If the shorter half are spells whose end was not seen, no interruption may be likely in their phase.
  const double of_exponential = data.observed * (std::log(rate) - 1);
  if (apart && !(finite(fitted) && log_likelihood >= of_exponential))
    fitted = fit_mixture(data, around, log_likelihood);
  // EM climbs to the next maximum, which need not be the highest.
  constexpr double kHigher = 1e-6;
  for (const double part : {0.02, 0.05, 0.1, 0.2, 0.35, 0.65, 0.8, 0.9, 0.95, 0.98}) {
    const Mixture start = split_at(data, part);
    if (!finite(start)) continue;
    double reached = 0;
    const Mixture other = fit_mixture(data, start, reached);
    if (!finite(other) || (finite(fitted) && !(reached > log_likelihood + kHigher * (1 + std::abs(log_likelihood)))))
      continue;
    fitted = other;
    log_likelihood = reached;
  }
  if (!finite(fitted) || !(log_likelihood >= of_exponential - kNoGain * data.count))
    return unfitted_law("hyperexponential", "one of the two phases vanishes; use the exponential law");
  if (fitted[1] < fitted[2]) fitted = {-fitted[0], fitted[2], fitted[1]};
  return fitted_law("hyperexponential",
                    {{"p", 1 / (1 + std::exp(-fitted[0]))},
                     {"rate1", std::exp(fitted[1]) / data.scale},
                     {"rate2", std::exp(fitted[2]) / data.scale}},
                    log_likelihood - data.observed * std::log(data.scale));
}

}  // namespace coterie::traces
