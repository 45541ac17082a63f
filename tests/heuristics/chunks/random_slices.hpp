#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::heuristics {

/// From `least` to `most`, evenly in its logarithm.
inline double log_uniform(sim::Dice& dice, double least, double most) {
  return least * std::pow(most / least, dice.real(0, 1));
}

/// Durations that end at 1, or with weights like those of Kaplan and Meier, where a part is never interrupted.
inline RiskPtr random_durations(sim::Dice& dice, std::size_t most, bool open) {
  std::vector<double> durations;
  for (std::size_t more = dice.whole(1, most); more > 0; --more) durations.push_back(std::pow(dice.real(0, 1), 3));
  durations.push_back(1);
  std::sort(durations.begin(), durations.end());
  durations.erase(std::unique(durations.begin(), durations.end()), durations.end());
  if (!open) return std::make_shared<EmpiricalRisk>(durations, "durations");
  const double weight = dice.real(0.3, 0.999) / static_cast<double>(durations.size());
  std::vector<double> weights(durations.size(), weight);
  return std::make_shared<EmpiricalRisk>(StepLaw{durations, weights}, "open durations");
}

constexpr std::size_t kRiskKinds = 8;

/// One of eight kinds, of a scale near 1.
inline RiskPtr random_risk(sim::Dice& dice, std::size_t kind) {
  const auto law = [](const std::string& text) { return make_parametric_risk(Expression::parse(text)); };
  const auto number = [](double value) { return std::to_string(value); };
  switch (kind % kRiskKinds) {
    case 0:
      return make_linear_risk(log_uniform(dice, 0.3, 3));
    case 1:
      return law("exponential(rate=" + number(log_uniform(dice, 0.3, 10)) + ")");
    case 2:
      return law("weibull(shape=" + number(log_uniform(dice, 0.4, 4)) + ", scale=" + number(dice.real(0.2, 2)) + ")");
    case 3:
      return law("lognormal(median=" + number(dice.real(0.2, 2)) + ", sigma=" + number(log_uniform(dice, 0.2, 2)) +
                 ")");
    case 4:
      return random_durations(dice, 8, false);
    case 5:
      return random_durations(dice, 300, false);
    case 6:
      return random_durations(dice, 30, true);
    default:
      return std::make_shared<MixtureRisk>(
          std::vector{random_risk(dice, dice.whole(0, 3)), random_risk(dice, dice.whole(0, 5))},
          std::vector{1.0, dice.real(0.2, 3)}, "mixture");
  }
}

}  // namespace coterie::heuristics
