#include "sim/sampling/capacity_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/sampling/interruptions.hpp"

namespace coterie::sim {
namespace {

EmpiricalRisk tabulate(const Risk& interruption, const Background& background, double limit) {
  const StreamKey key = StreamKey::derive(
      0, identity_hash(fmt::format("capacity {} {}", interruption.text(), background.text())), Use::kPlan);
  std::vector<double> capacities;
  for (std::size_t k = 0; k < CapacityRisk::kSamples; ++k)
    capacities.push_back(interruption.quantile((static_cast<double>(k) + 0.5) / CapacityRisk::kSamples));
  static_assert(CapacityRisk::kSamples % kLanes == 0);
  for (std::size_t k = 0; k < CapacityRisk::kSamples; k += kLanes)
    background.capacities(key, k, 1, kLanes, limit, best_lane_loops(), std::span(capacities).subspan(k, kLanes));
  for (double& capacity : capacities) capacity = std::min(limit, capacity);
  return {std::move(capacities), "capacity"};
}

/// The risk of the greatest capacity that the interruption leaves: a worker is never faster than with those of its
/// first jobs that never leave.
RiskPtr least_capacity_risk(const RiskPtr& interruption, const Background& background) {
  const auto law = background.law();
  return law && law->service == 0 ? hastened(interruption, 1 + static_cast<double>(law->initial)) : interruption;
}

}  // namespace

CapacityRisk::CapacityRisk(const RiskPtr& interruption, const Background& background, double limit)
    : text_(fmt::format("capacity({}, {})", interruption->text(), background.text())),
      at_most_(least_capacity_risk(interruption, background)),
      limit_(limit),
      table_(tabulate(*interruption, background, limit)) {}

double CapacityRisk::probability(double work) const {
  const double tabulated = table_.probability(std::min(work, limit_));
  return work <= limit_ ? tabulated : std::max(tabulated, at_most_->probability(work));
}

std::vector<double> CapacityRisk::breaks() const {
  std::vector<double> works = table_.breaks();
  if (works.back() < limit_) works.push_back(limit_);
  for (const double work : at_most_->breaks())
    if (work > limit_) works.push_back(work);
  return works;
}

double CapacityRisk::quantile(double u) const {
  if (u >= 1) return at_most_->quantile(u);
  const double tabulated = table_.quantile(u);
  return tabulated < limit_ ? tabulated : std::max(limit_, at_most_->quantile(u));
}

}  // namespace coterie::sim
