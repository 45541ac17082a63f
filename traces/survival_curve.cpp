#include "traces/survival_curve.hpp"

#include <cmath>
#include <limits>

namespace coterie::traces {
std::vector<SurvivalJump> survival_curve(const Durations& durations) {
  std::vector<SurvivalJump> jumps;
  const auto& values = durations.values();
  double survival = 1;
  double greenwood = 0;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    std::size_t interrupted = 0;
    for (; end < values.size() && values[end].value == values[begin].value; ++end) interrupted += values[end].observed;
    if (interrupted > 0) {
      SurvivalJump jump{values[begin].value, static_cast<double>(values.size() - begin),
                        static_cast<double>(interrupted)};
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
    }
    begin = end;
  }
  return jumps;
}

}  // namespace coterie::traces
