#pragma once

#include "core/cut_risk.hpp"
#include "heuristics/worksharing/zone_placement.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/sampling/sampled_times.hpp"

namespace coterie::sim {

/// Work shared by workers that may be interrupted: how models read the axes workers, work, chunks, startup, risk and
/// lambda. All throw InputError at the place of the axis.

RiskPtr risk_of(const Configuration& configuration, RiskLibrary& risks);

heuristics::Granularity granularity_of(const Configuration& configuration);

/// With this risk of a worker about whom nothing else is known.
heuristics::WorksharingProblem problem_of(const Configuration& configuration, const RiskPtr& risk);

/// Makes the number of chunks canonical.
void make_chunks_canonical(Configuration& configuration);
/// Refuses impossible numbers of chunks, if a strategy asks for any: file(...) has its own.
void accept_chunks(const TrialRequest& request);

/// Refuses a configuration that does not fit the schedule of file(...).
void accept_file(const std::string& strategy, const TrialRequest& request);

/// The axes workers, work, chunks, startup and risk, those that the model alone has, and zones, common and placement.
/// An instance's random numbers do not depend on the zones: workers keep the numbers that they have without them.
std::vector<Axis> with_sharing_axes(const std::vector<Axis>& own);
Axis lambda_axis();
/// Checks the axes of zones.
void check_zones(const Configuration& configuration);
/// None for models without these axes.
Zones zones_of(const Configuration& configuration);
/// The placement of plans made for `problem`; null if zones bind no worker.
std::shared_ptr<const heuristics::ZonePlacement> placement_of(const heuristics::WorksharingProblem& problem,
                                                              const TrialRequest& request);

/// How long workers live, in the zones of the configuration.
SampledTimes times_of(const heuristics::WorksharingProblem& problem, const TrialRequest& request);
/// The same, cut at a horizon.
SampledTimes times_of(const heuristics::WorksharingProblem& problem, const TrialRequest& request, CutRisks& cut,
                      double horizon);

}  // namespace coterie::sim
