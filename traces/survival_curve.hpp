#pragma once

#include <vector>

#include "traces/durations.hpp"

namespace coterie::traces {

/// 97.5 % quantile of the standard normal law, for 95 % intervals.
inline constexpr double kNormalQuantile = 1.959963984540054;

/// A jump of the Kaplan-Meier estimate, with its 95 % interval there.
struct SurvivalJump {
  double time = 0;  ///< in the unit of the durations
  double at_risk = 0;
  double interrupted = 0;
  double survival = 1;  ///< P(T > time)
  /// Pointwise, on the scale log(-log S) with Greenwood's variance [Kalbfleisch, Prentice 1980]; NaN if nobody is
  /// left, since no variance is known then.
  double low = 1;
  double high = 1;
};

/// All jumps in time order: the curve is 1 before the first and constant after the last. Empty if no interruption was
/// seen. [Kaplan, Meier 1958]
std::vector<SurvivalJump> survival_curve(const Durations& durations);

}  // namespace coterie::traces
