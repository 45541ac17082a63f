#include "core/aged_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/contract.hpp"
#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/printable.hpp"

namespace coterie {

AgedRisk::AgedRisk(RiskPtr fresh, double age, std::string text)
    : fresh_(std::move(fresh)),
      age_(age),
      dead_(fresh_->probability(age)),
      alive_(fresh_->survival(age)),
      text_(std::move(text)) {
  COTERIE_REQUIRE(age >= 0);
  if (!(fresh_->survival(std::numeric_limits<double>::max()) < alive_))
    throw InputError(fmt::format("{}: no interruption is possible at that age or later", echoed(text_)));
}

double AgedRisk::probability(double t) const {
  if (t <= 0) return 0;
  // Where few are left, their share has digits only in the survival.
  const double gone = dead_ < 0.5 ? fresh_->probability(age_ + t) - dead_ : alive_ - fresh_->survival(age_ + t);
  return std::clamp(gone / alive_, 0.0, 1.0);
}

double AgedRisk::survival(double t) const {
  return t <= 0 ? 1 : std::clamp(fresh_->survival(age_ + t) / alive_, 0.0, 1.0);
}

double AgedRisk::density(double t) const { return fresh_->density(age_ + t) / alive_; }

std::vector<Risk::Exponential> AgedRisk::exponentials() const {
  std::vector<Exponential> parts = fresh_->exponentials();
  for (Exponential& part : parts) part.probability *= std::exp(-part.rate * age_) / alive_;
  return parts;
}

std::vector<double> AgedRisk::breaks() const {
  std::vector<double> ahead;
  for (const double t : fresh_->breaks())
    if (t > age_) ahead.push_back(t - age_);
  return ahead;
}

double AgedRisk::quantile(double u) const {
  constexpr double kFew = 1e-6;  // below, u has few digits as a probability of the fresh risk
  if (u >= 1 || alive_ > kFew || !fresh_->has_density())
    return std::max(0.0, fresh_->quantile(u < 1 ? std::min(1.0, dead_ + u * alive_) : 1.0) - age_);
  constexpr double kMost = std::numeric_limits<double>::max();
  double low = 0;
  double high = age_;
  while (high < kMost && survival(high) > 1 - u) {
    low = high;
    high = high < kMost / 2 ? 2 * high : kMost;
  }
  if (survival(high) > 1 - u) return kInfinity;
  for (double middle = low + (high - low) / 2; low < middle && middle < high; middle = low + (high - low) / 2)
    (survival(middle) > 1 - u ? low : high) = middle;
  return high;
}

RiskPtr aged(const RiskPtr& fresh, double age) {
  const EmpiricalRisk* steps = fresh->steps();
  if (steps == nullptr) return std::make_shared<AgedRisk>(fresh, age, fresh->text());
  StepLaw rest = steps->law().at_age(age);
  if (rest.times.empty())
    throw InputError(fmt::format("{}: no interruption is possible at that age or later", echoed(fresh->text())));
  return std::make_shared<EmpiricalRisk>(std::move(rest), fresh->text());
}

}  // namespace coterie
