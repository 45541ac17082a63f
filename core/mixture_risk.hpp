#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie {

/// The risk of a worker of whom only the shares of its possible classes are known:
///   Pr(t) = sum over classes of share x Pr_class(t).
class MixtureRisk final : public Risk {
 public:
  /// One weight > 0 a class; they are divided by their sum. `text` is what text() returns.
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
  /// The jump of a class that is seen at `time`, the last that is the same time (ties.hpp); `time` where there is none.
  double recorded(double time) const;

  std::vector<RiskPtr> classes_;
  std::vector<double> shares_;
  std::string text_;
};

}  // namespace coterie
