#pragma once

#include <memory>

#include "core/empirical_risk.hpp"
#include "sim/sampling/background.hpp"

namespace coterie::sim {

/// The risk that a schedule runs on a worker with background jobs, known in law: Pr(w) = P(capacity before the
/// interruption < w), with which all theory of independent interruptions holds as it stands. Tabulated from kSamples
/// paths of the background, one in each of as many equally probable slices of the interruption time; always the same
/// for the same laws. Beyond `limit` work, which only lists with many start-up costs need, the risk of the
/// interruption alone, which is too low, stands in (beside jobs that never leave, of a machine slowed by the first ones
/// only): a capacity is never more than that.
class CapacityRisk final : public Risk {
 public:
  static constexpr std::size_t kSamples = 1 << 14;

  CapacityRisk(const RiskPtr& interruption, const Background& background, double limit);

  double probability(double work) const override;
  std::vector<double> breaks() const override;
  double only_jumps_until() const override { return limit_; }
  double quantile(double u) const override;
  std::string text() const override { return text_; }

 private:
  std::string text_;
  RiskPtr at_most_;  ///< of a capacity that is never exceeded
  double limit_;
  EmpiricalRisk table_;
};

}  // namespace coterie::sim
