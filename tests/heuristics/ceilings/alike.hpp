#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// One risk for each of so many workers.
inline std::vector<RiskPtr> alike(std::size_t workers, const RiskPtr& risk = make_linear_risk()) {
  return std::vector<RiskPtr>(workers, risk);
}

}  // namespace coterie::heuristics
