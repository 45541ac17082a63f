#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie {

/// The risk of a worker about which only the shares of its possible classes are known:
///   Pr(t) = sum over classes of share x Pr_class(t).
class MixtureRisk final : public Risk {
 public:
  /// One weight > 0 per class; they are divided by their sum. `text` is what text() returns.
  /// Throws InputError for no class, or a weight that is not above 0 and finite.
  MixtureRisk(std::vector<RiskPtr> classes, std::vector<double> weights, std::string text);

  double probability(double t) const override;
  double survival(double t) const override;
  double density(double t) const override;
  std::vector<double> breaks() const override;
  double quantile(double u) const override;
  std::string text() const override { return text_; }
  const std::vector<RiskPtr>& classes() const { return classes_; }

 private:
  /// The last jump of a class that equals `time` up to rounding (ties.hpp); `time` if there is none.
  double recorded(double time) const;

  std::vector<RiskPtr> classes_;
  std::vector<double> shares_;
  std::string text_;
};

}  // namespace coterie
