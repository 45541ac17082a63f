#include "core/tabulated_risk.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "core/infinity.hpp"

namespace coterie {

TabulatedRisk::TabulatedRisk(std::vector<double> times, std::vector<double> probabilities, std::string text)
    : times_(std::move(times)), probabilities_(std::move(probabilities)), text_(std::move(text)) {
  COTERIE_REQUIRE(times_.size() == probabilities_.size());
  times_.insert(times_.begin(), 0.0);
  probabilities_.insert(probabilities_.begin(), 0.0);
  for (std::size_t i = 1; i < times_.size(); ++i) {
    COTERIE_REQUIRE(std::isfinite(times_[i]) && times_[i] > times_[i - 1]);
    COTERIE_REQUIRE(probabilities_[i] >= probabilities_[i - 1] && probabilities_[i] <= 1);
  }
  COTERIE_REQUIRE(probabilities_.back() > 0);
}

double TabulatedRisk::probability(double t) const {
  if (!(t > 0)) return 0;
  if (t >= times_.back()) return probabilities_.back();
  const auto next = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  const double along = (t - times_[next - 1]) / (times_[next] - times_[next - 1]);
  return std::lerp(probabilities_[next - 1], probabilities_[next], along);
}

double TabulatedRisk::density(double t) const {
  if (!(t > 0) || t >= times_.back()) return 0;
  const auto next = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  return (probabilities_[next] - probabilities_[next - 1]) / (times_[next] - times_[next - 1]);
}

double TabulatedRisk::quantile(double u) const {
  if (u > probabilities_.back()) return kInfinity;
  if (u <= 0) {
    const auto above = std::upper_bound(probabilities_.begin(), probabilities_.end(), 0.0);
    return times_[static_cast<std::size_t>(above - probabilities_.begin()) - 1];
  }
  const auto reached = std::lower_bound(probabilities_.begin(), probabilities_.end(), u);
  const auto next = static_cast<std::size_t>(reached - probabilities_.begin());
  const double along = (u - probabilities_[next - 1]) / (probabilities_[next] - probabilities_[next - 1]);
  return std::lerp(times_[next - 1], times_[next], along);
}

}  // namespace coterie
