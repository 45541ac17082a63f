#pragma once

#include "core/risk.hpp"

namespace coterie {

/// The remaining life of a worker that has already been up for `age`:
///   P(T - age < t | T >= age) = (Pr(age + t) - Pr(age)) / (1 - Pr(age)).
/// Uses the risk of a new worker, so that a hundred workers of different ages take no more memory than one.
class AgedRisk final : public Risk {
 public:
  /// `fresh`: of a new worker; `age` >= 0 in its unit of time; `text` is what text() returns.
  /// Throws InputError if no interruption is possible at that age or later.
  AgedRisk(RiskPtr fresh, double age, std::string text);

  double probability(double t) const override;
  double survival(double t) const override;
  double density(double t) const override;
  std::vector<Exponential> exponentials() const override;
  std::vector<double> breaks() const override;
  double quantile(double u) const override;
  std::string text() const override { return text_; }

 private:
  RiskPtr fresh_;
  double age_;
  double dead_;   // Pr(age)
  double alive_;  // 1 - Pr(age), > 0
  std::string text_;
};

/// The same; a law of steps stays one and minds its rounding (StepLaw::at_age). `age` >= 0. Throws InputError if no
/// interruption is possible at that age or later.
RiskPtr aged(const RiskPtr& fresh, double age);

}  // namespace coterie
