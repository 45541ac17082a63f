#pragma once

#include <memory>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"
#include "heuristics/dispatch/crew.hpp"
#include "heuristics/dispatch/spells.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// The axes task, tries, restart, warning and speeds: what workers and chunks are where work is more than a divisible
/// load for workers of speed 1. Instances do not depend on them.
const std::vector<Axis>& crew_axes();

/// Throws InputError at the place of the axis.
void check_crew(const Configuration& configuration);

/// The crew of the workers with these risks (one each, or one for all); null if all axes are left out.
std::shared_ptr<const heuristics::Crew> crew_of(const Configuration& configuration, const std::vector<RiskPtr>& risks);

/// The problem that plans for the crew are made for: in units of the work that workers could do in their lives. Where
/// speeds differ, a chunk costs as much work as it does on average. `problem`: the same in time.
heuristics::WorksharingProblem planned_for(const heuristics::Crew& crew, heuristics::WorksharingProblem problem);

/// What the omniscient completes if there is enough work: in each spell, one chunk that ends with it, or the whole
/// tasks that fit. Spells of workers in their order.
double useful_work(const heuristics::Crew& crew, double work, const heuristics::Spells& spells);

}  // namespace coterie::sim
