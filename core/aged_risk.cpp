#include "core/aged_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/contract.hpp"
#include "core/errors.hpp"
#include "core/printable.hpp"

namespace coterie {

AgedRisk::AgedRisk(RiskPtr fresh, double age, std::string text)
    : fresh_(std::move(fresh)),
      age_(age),
      dead_(fresh_->probability(age)),
      alive_(fresh_->survival(age)),
      text_(std::move(text)) {
  COTERIE_REQUIRE(age >= 0);
  if (!(fresh_->probability(std::numeric_limits<double>::max()) > dead_) || !(alive_ > 0))
    throw InputError(fmt::format("{}: no interruption is possible at that age or later", echoed(text_)));
}

double AgedRisk::probability(double t) const {
  return t <= 0 ? 0 : std::clamp((fresh_->probability(age_ + t) - dead_) / alive_, 0.0, 1.0);
}

double AgedRisk::survival(double t) const {
  return t <= 0 ? 1 : std::clamp(fresh_->survival(age_ + t) / alive_, 0.0, 1.0);
}

double AgedRisk::density(double t) const { return fresh_->density(age_ + t) / alive_; }

std::vector<double> AgedRisk::breaks() const {
  std::vector<double> ahead;
  for (const double t : fresh_->breaks())
    if (t > age_) ahead.push_back(t - age_);
  return ahead;
}

double AgedRisk::quantile(double u) const {
  return std::max(0.0, fresh_->quantile(u < 1 ? std::min(1.0, dead_ + u * alive_) : 1.0) - age_);
}

}  // namespace coterie
