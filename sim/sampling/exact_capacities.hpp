#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>

#include "core/schedule.hpp"
#include "sim/sampling/background.hpp"

namespace coterie::sim {

/// Exact laws of capacities with background jobs, cached for schedules and configurations that share them. Thread-safe.
class ExactCapacities {
 public:
  /// Exact expected work of a static schedule whose workers have these interruption times (one risk for each, or one
  /// for all) and this background, within 1e-9 of the deployed work times the workers of a piece. NaN if only a
  /// simulation can tell: jobs that all workers have in common, start-up costs in wall-clock time, laws that
  /// exact_capacity_risk does not compute.
  double expected_work(const Schedule& schedule, std::span<const RiskPtr> risks, const Background& background);

 private:
  RiskPtr law_of(const RiskPtr& risk, const Background& background, const BackgroundLaw& jobs, double limit);

  static constexpr std::size_t kMostLaws = 16;  // up to 100 MB each

  using Key = std::tuple<RiskPtr, std::string, double>;
  std::mutex mutex_;
  std::map<Key, RiskPtr> laws_;  // null: not known
};

}  // namespace coterie::sim
