#pragma once

#include <vector>

namespace coterie {

/// Probabilities add up to at least this if no tail is open.
inline constexpr double kWholeLaw = 1 - 1e-9;

/// A discrete law of times: P(T = times[i]) = weights[i]; times >= 0 increase strictly. The weights may sum to less
/// than 1: the rest is "not interrupted within the horizon".
struct StepLaw {
  std::vector<double> times = {};
  std::vector<double> weights = {};
  /// The times were recorded as multiples of it: a time t stands for all from t - h to t + h, h = min(t, rounding / 2).
  /// 0: they are exact.
  double rounding = 0;

  /// Adds a time that is none of the earlier ones; if rounding made it equal to the last one, to that one's weight.
  void add(double time, double weight);
  /// P(T < infinity).
  double mass() const;
  /// P(T < t).
  double probability(double t) const;
  /// The law of T / unit.
  StepLaw in_unit(double unit) const;
  /// The law of min(T, horizon).
  StepLaw cut_at(double horizon) const;
  /// The law of T - age given T >= age: the remaining life of a worker that is up at that age. Of a recorded time
  /// whose rounding the age is within, only the part that reaches the age counts, at its mean: so the law changes
  /// continuously with the age. Empty if no time reaches the age.
  StepLaw at_age(double age) const;
};

}  // namespace coterie
