#include "sim/sampling/capacity_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

CapacityRisk::CapacityRisk(RiskPtr interruption, const Background& background, double limit)
    : interruption_(std::move(interruption)),
      background_(background.text()),
      limit_(limit),
      table_(tabulate(*interruption_, background, limit)) {}

double CapacityRisk::probability(double work) const {
  const double tabulated = table_.probability(std::min(work, limit_));
  return work <= limit_ ? tabulated : std::max(tabulated, interruption_->probability(work));
}

std::vector<double> CapacityRisk::breaks() const {
  std::vector<double> works = table_.breaks();
  if (works.back() < limit_) works.push_back(limit_);
  for (const double work : interruption_->breaks())
    if (work > limit_) works.push_back(work);
  return works;
}

double CapacityRisk::quantile(double u) const {
  if (u >= 1) return interruption_->quantile(u);
  const double tabulated = table_.quantile(u);
  return tabulated < limit_ ? tabulated : std::max(limit_, interruption_->quantile(u));
}

std::string CapacityRisk::text() const { return fmt::format("capacity({}, {})", interruption_->text(), background_); }

}  // namespace coterie::sim
