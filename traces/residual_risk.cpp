#include "traces/residual_risk.hpp"

#include <algorithm>
#include <numeric>

namespace coterie::traces {

ResidualRisk::ResidualRisk(const StepLaw& law, std::string text) : text_(std::move(text)) {
  const double sum = std::accumulate(law.weights.begin(), law.weights.end(), 0.0);
  if (sum < 1 - 1e-9)
    throw InputError(
        "age = stationary or drawn needs the whole law, but the trace does not show how some spells end; use "
        "tail=gone, estimator=naive or a fixed age");
  times_ = {0};
  cumulative_ = {0};
  double alive = 1;
  double area = 0;
  for (std::size_t i = 0; i < law.times.size(); ++i) {
    if (law.times[i] > times_.back()) {
      area += alive * (law.times[i] - times_.back());
      times_.push_back(law.times[i]);
      cumulative_.push_back(area);
    }
    alive = std::max(0.0, alive - law.weights[i]);
  }
  if (!(area > 0)) throw InputError("age = stationary needs spells longer than zero");
  for (double& value : cumulative_) value /= area;
  cumulative_.back() = 1;
}

double ResidualRisk::probability(double t) const {
  if (t <= 0) return 0;
  const auto knot = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  if (knot == times_.size()) return 1;
  const double share = (t - times_[knot - 1]) / (times_[knot] - times_[knot - 1]);
  return cumulative_[knot - 1] + share * (cumulative_[knot] - cumulative_[knot - 1]);
}

double ResidualRisk::quantile(double u) const {
  if (u <= 0) return 0;
  const auto knot =
      static_cast<std::size_t>(std::lower_bound(cumulative_.begin(), cumulative_.end(), u) - cumulative_.begin());
  if (knot == times_.size()) return times_.back();
  const double share = (u - cumulative_[knot - 1]) / (cumulative_[knot] - cumulative_[knot - 1]);
  return times_[knot - 1] + share * (times_[knot] - times_[knot - 1]);
}

}  // namespace coterie::traces
