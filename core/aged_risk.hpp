#pragma once

#include "core/risk.hpp"

namespace coterie {

/// What a worker that has already been up for `age` has before it:
///   P(T - age < t | T >= age) = (Pr(age + t) - Pr(age)) / (1 - Pr(age)).
/// Looks up in the risk of a new worker, so that a hundred workers of different ages cost no more memory than one.
class AgedRisk final : public Risk {
 public:
  /// `fresh`: of a new worker; `age` >= 0 in its unit of time; `text` is what text() returns.
  /// Throws InputError where no interruption at that age or later is possible.
  AgedRisk(RiskPtr fresh, double age, std::string text);

  double probability(double t) const override;
  double survival(double t) const override;
  double density(double t) const override;
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

}  // namespace coterie
