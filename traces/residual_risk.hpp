#pragma once

#include "core/risk.hpp"
#include "traces/durations.hpp"

namespace coterie::traces {

/// The risk of a worker observed at a random moment of its life, its age unknown: the stationary residual life,
///   P(R < t) = (1 / E T) integral over [0, t] of P(T > u) du,
/// piecewise linear for a discrete law. [renewal theory: Cox 1962, Section 5.2]
class ResidualRisk final : public Risk {
 public:
  /// Throws InputError for a law whose weights do not sum to 1 (its mean is unknown) or whose mean is 0.
  ResidualRisk(const StepLaw& law, std::string text);

  double probability(double t) const override;
  std::vector<double> breaks() const override { return {times_.begin() + 1, times_.end()}; }
  double quantile(double u) const override;
  std::string text() const override { return text_; }

 private:
  std::vector<double> times_;       // knots, from 0
  std::vector<double> cumulative_;  // P(R < knot)
  std::string text_;
};

}  // namespace coterie::traces
