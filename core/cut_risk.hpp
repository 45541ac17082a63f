#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "core/risk.hpp"

namespace coterie {

/// The risk of min(T, horizon): nothing is computed beyond the horizon, and a chunk that ends at it is complete.
/// Returns the same object if no interruption comes later; an EmpiricalRisk for an EmpiricalRisk. `horizon` > 0.
RiskPtr cut_at(const RiskPtr& risk, double horizon);

/// The same, with one object for each risk and horizon, so that results for it are computed only once. Thread-safe.
class CutRisks {
 public:
  RiskPtr operator()(const RiskPtr& risk, double horizon);

 private:
  std::mutex mutex_;
  std::map<std::pair<RiskPtr, double>, RiskPtr> known_;
};

}  // namespace coterie
