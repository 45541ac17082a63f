#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "core/risk.hpp"

namespace coterie {

/// The risk of min(T, horizon): nobody computes beyond the horizon, and what ends at it is done. The same object where
/// no interruption comes later; of recorded times (EmpiricalRisk) another of recorded times. `horizon` > 0.
RiskPtr cut_at(const RiskPtr& risk, double horizon);

/// The same, one object for each risk and horizon, so that what is found for it need be found once. Threads may share
/// it.
class CutRisks {
 public:
  RiskPtr operator()(const RiskPtr& risk, double horizon);

 private:
  std::mutex mutex_;
  std::map<std::pair<RiskPtr, double>, RiskPtr> known_;
};

}  // namespace coterie
