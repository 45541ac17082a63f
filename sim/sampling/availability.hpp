#pragma once

#include <memory>
#include <vector>

#include "heuristics/dispatch/spells.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// The axes horizon and availability: how long anything counts, and whether workers come back.
///   once: each worker is interrupted once, for ever.
///   renewal(down=RISK, resume=TIME): after an interruption a worker is down for a time drawn from `down` and for
///     `resume` more; then the clock of its risk starts anew.
///   replay(trace=FILE, window=TIME, scale=LENGTH, ...): windows of a recording at random places within it, worker k
///     being the k-th of machines that are drawn without replacement; `scale` is one unit of time, seconds unless it
///     has a unit. The window is the horizon.
/// An instance's first random numbers do not depend on them: under renewal a worker's first spell is what it has once.
const std::vector<Axis>& availability_axes();

/// Checks both, and makes the second canonical. Throws InputError at the place of the axis.
void check_availability(Configuration& configuration, RiskLibrary& risks);

/// From then on nothing counts; infinite: everything does.
double horizon_of(const Configuration& configuration);

/// Null where workers do not come back. `risks`: one a worker, or one for all. Spells are in units of time that are
/// `unit` of the configuration's, as `risks` are.
std::shared_ptr<const heuristics::Availability> availability_of(const Configuration& configuration,
                                                                RiskLibrary& library, const std::vector<RiskPtr>& risks,
                                                                double unit = 1);

/// Of renewals: half of the times from an interruption to being up again are no longer than that.
double median_absence(const Configuration& configuration, RiskLibrary& library);

}  // namespace coterie::sim
