#include "core/step_law.hpp"

#include <algorithm>
#include <numeric>

#include "core/ties.hpp"

namespace coterie {

void StepLaw::add(double time, double weight) {
  if (times.empty() || time > times.back()) {
    times.push_back(time);
    weights.push_back(0);
  }
  weights.back() += weight;
}

double StepLaw::mass() const { return std::min(1.0, std::accumulate(weights.begin(), weights.end(), 0.0)); }

double StepLaw::probability(double t) const {
  const auto end = std::lower_bound(times.begin(), times.end(), t) - times.begin();
  return std::accumulate(weights.begin(), weights.begin() + end, 0.0);
}

StepLaw StepLaw::in_unit(double unit) const {
  StepLaw scaled{.rounding = rounding / unit};
  for (std::size_t i = 0; i < times.size(); ++i) scaled.add(times[i] / unit, weights[i]);
  return scaled;
}

StepLaw StepLaw::cut_at(double horizon) const {
  StepLaw cut{.rounding = rounding};
  double before = 0;
  for (std::size_t i = 0; i < times.size() && just_after(times[i]) < horizon; ++i) {
    cut.add(times[i], weights[i]);
    before += weights[i];
  }
  if (before < 1) cut.add(horizon, 1 - before);
  return cut;
}

StepLaw StepLaw::at_age(double age) const {
  // What is left is added up from the end: 1 - what is over would have no digits where little is left.
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double left = all < kWholeLaw ? 1 - all : 0;
  const auto half = [&](double time) { return std::min(time, rounding / 2); };
  const auto within_rounding = [&](double time) {
    return time - half(time) < age && just_after(age) < time + half(time);
  };
  const auto reaches = [&](std::size_t i) {
    const double time = times[i];
    return within_rounding(time) ? weights[i] * (time + half(time) - age) / (2 * half(time)) : weights[i];
  };
  std::size_t first = times.size();
  while (first > 0 && (within_rounding(times[first - 1]) || !(just_after(times[first - 1]) < age)))
    left += reaches(--first);
  // Where little is left of a duration, its rounding would be more than kSameTime of what is left.
  constexpr double kLittle = 1e-3;
  constexpr double kLastDigits = 0x1p-51;
  StepLaw rest{.rounding = rounding};
  for (std::size_t i = first; i < times.size(); ++i) {
    const double time = times[i];
    double ahead = time > just_after(age) ? time - age : 0;
    if (within_rounding(time)) ahead = (time + half(time) - age) / 2;
    if (ahead > 0 && ahead < kLittle * time) ahead += kLastDigits * time;
    rest.add(ahead, reaches(i) / left);
  }
  return rest;
}

}  // namespace coterie
