#include "traces/survival_curve.hpp"

#include <cmath>
#include <limits>

namespace coterie::traces {

std::vector<SurvivalJump> survival_curve(const Durations& durations) {
  std::vector<SurvivalJump> jumps;
  double survival = 1;
  double greenwood = 0;
  for_each_jump(durations.counts(), [&](double value, std::size_t at_risk, std::size_t interrupted) {
    SurvivalJump jump{value, static_cast<double>(at_risk), static_cast<double>(interrupted)};
    survival *= 1 - jump.interrupted / jump.at_risk;
    jump.survival = survival;
    jump.low = jump.high = std::numeric_limits<double>::quiet_NaN();
    if (survival > 0) {
      greenwood += jump.interrupted / (jump.at_risk * (jump.at_risk - jump.interrupted));
      const double margin = kNormalQuantile * std::sqrt(greenwood) / std::abs(std::log(survival));
      jump.low = std::pow(survival, std::exp(margin));
      jump.high = std::pow(survival, std::exp(-margin));
    }
    jumps.push_back(jump);
  });
  return jumps;
}

}  // namespace coterie::traces
