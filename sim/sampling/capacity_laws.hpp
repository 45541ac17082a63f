#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "core/capacity_sum.hpp"

namespace coterie::sim {

/// What CapacitySum knows about a configuration.
struct CapacityMeans {
  double greatest_part = 0;
  BoundedNumber positive;  ///< P(S > 0)
  BoundedNumber mean, variance;
  BoundedNumber limited;  ///< E[min(work, S)]
};

/// Capacity sums, each computed once while it is kept: their memory does not grow with their number. Configurations
/// that differ only in their workload share one, but for workloads below what a worker can do in the longest life:
/// these limit each worker's part and have sums of their own. Thread-safe.
class CapacityLaws {
 public:
  CapacityMeans of(const std::vector<RiskPtr>& risks, std::size_t workers, double startup, double work);
  std::size_t kept() const;  ///< memory of all, in numbers of 8 bytes

 private:
  struct Law;
  using Key = std::tuple<std::vector<RiskPtr>, std::size_t, double, double>;
  mutable std::mutex mutex_;
  std::size_t kept_ = 0;
  std::map<Key, std::shared_ptr<Law>> laws_;
};

}  // namespace coterie::sim
