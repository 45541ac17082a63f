#pragma once

#include <string>
#include <vector>

#include "core/risk.hpp"

namespace coterie {

/// A risk given by points of its distribution function, linear between them and constant after the last: workers not
/// interrupted by then never are.
class TabulatedRisk final : public Risk {
 public:
  /// P(T < times[i]) = probabilities[i], and 0 at time 0. Times finite, > 0 and increasing; probabilities in [0, 1],
  /// not decreasing, the last above 0; `text` is what text() returns. Equal sizes.
  TabulatedRisk(std::vector<double> times, std::vector<double> probabilities, std::string text);

  double probability(double t) const override;
  double density(double t) const override;
  std::vector<double> breaks() const override { return {times_.begin() + 1, times_.end()}; }
  double quantile(double u) const override;
  std::string text() const override { return text_; }

 private:
  std::vector<double> times_, probabilities_;  // from (0, 0) on
  std::string text_;
};

}  // namespace coterie
