#pragma once

#include <vector>

#include "core/stream.hpp"
#include "heuristics/return_messages/interrupted_returns.hpp"
#include "sim/input/platform_laws.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Interruptions of the models whose workers return results: worker i is interrupted at T_i = T / h_i, T of the risk
/// that the axis `risk` names and h_i its hazard.

/// The risk of the axis `risk`; null for "none", which means no interruptions.
RiskPtr risk_axis(const Configuration& configuration, RiskLibrary& risks);
/// Refuses a risk under which what a worker returns at `lifespan` is expected to be nothing, up to rounding.
void require_survival(const Configuration& configuration, const Risk& risk, double lifespan);
/// Adds every parameter of the risk to the identity.
void make_risk_canonical(Configuration& configuration, RiskLibrary& risks);

/// Interruption times of one instance, one uniform number per worker (Use::kInterruption).
std::vector<double> interruption_times(const StreamKey& key, std::uint64_t instance, const std::vector<RiskPtr>& risks);

}  // namespace coterie::sim
