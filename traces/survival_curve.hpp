#pragma once

#include <vector>

#include "traces/durations.hpp"

namespace coterie::traces {

/// 97.5 % quantile of the standard normal law: of 95 % intervals.
inline constexpr double kNormalQuantile = 1.959963984540054;

/// A jump of Kaplan-Meier's estimator, and its 95 % interval there.
struct SurvivalJump {
  double time = 0;  ///< in the unit of the durations
  double at_risk = 0;
  double interrupted = 0;
  double survival = 1;  ///< P(T > time)
  /// Pointwise, on the scale log(-log S) with Greenwood's variance [Kalbfleisch, Prentice 1980]; NaN where nobody is
  /// left, and no variance is known.
  double low = 1;
  double high = 1;
};

/// All jumps, in the order of time: the curve is 1 before the first, and stays what it is after the last. Empty where
/// no interruption was seen. [Kaplan, Meier 1958]
std::vector<SurvivalJump> survival_curve(const Durations& durations);

}  // namespace coterie::traces
