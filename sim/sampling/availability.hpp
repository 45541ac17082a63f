#pragma once

#include <memory>
#include <vector>

#include "core/zones.hpp"
#include "heuristics/dispatch/spells.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// The axes horizon and availability: how long anything counts, and whether workers come back.
///   once: each worker is interrupted once, and never comes back.
///   renewal(down=RISK, resume=TIME, scale=LENGTH): after an interruption a worker is down for a time drawn from `down`
///     and for another `resume`; then the clock of its risk restarts. `scale`, one unit of time, goes with a `resume`
///     that has a unit.
///   replay(trace=FILE, window=TIME, scale=LENGTH, ...): windows of a recording at random places within it, worker k
///     being the k-th of machines that are drawn without replacement; `scale` is one unit of time, seconds unless it
///     has a unit. The window is the horizon.
/// An instance's first random numbers do not depend on them: a worker's first spell under renewal is the one it has
/// with once.
const std::vector<Axis>& availability_axes();

/// Checks both axes and makes the second canonical. Throws InputError at the place of the axis.
void check_availability(Configuration& configuration, RiskLibrary& risks);

/// The time after which nothing counts; infinite: everything counts.
double horizon_of(const Configuration& configuration);

/// Null if workers do not come back. `risks`: one per worker, or one for all. Spells, like `risks`, are in units of
/// time of `unit` units of the configuration. `zones`: of workers that come back as renewals; if they bind, all spells
/// are drawn anew, since workers of any age are interrupted together (ZoneShocks).
std::shared_ptr<const heuristics::Availability> availability_of(const Configuration& configuration,
                                                                RiskLibrary& library, const std::vector<RiskPtr>& risks,
                                                                double unit = 1, const Zones& zones = {});
/// Each worker is interrupted once.
std::shared_ptr<const heuristics::Availability> one_spell();

}  // namespace coterie::sim
