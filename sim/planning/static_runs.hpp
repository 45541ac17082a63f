#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "sim/sampling/sampled_times.hpp"

namespace coterie::sim {

/// All of the work of a question, which is 1, up to rounding: the pieces of a schedule may end before it does.
inline constexpr double kAllWork = 1 - 1e-9;

/// Whether the lists of a schedule give all of the work to somebody.
bool gives_all(const Schedule& schedule);

/// Runs of a static schedule without news, by instance.
struct StaticRuns {
  std::vector<double> makespans;  ///< when all of the work is done; infinite: never
  std::vector<double> costs;      ///< cost of each machine until its list ends or it leaves
};

/// `prices`: of a machine's unit of time, one per worker or one for all. Uses the instances of `times`, as the models
/// worksharing and dispatch do. `threads` 0: one for each core.
StaticRuns run_static(const Schedule& schedule, const SampledTimes& times, std::uint64_t instances,
                      std::span<const double> prices, int threads = 0);

/// When each worker is interrupted in kLanes instances from `instance` on, by lane and worker. A chunk that ends
/// exactly at a recorded time is complete.
void draw_lives(const SampledTimes& times, std::uint64_t instance, std::vector<std::vector<double>>& lives);

}  // namespace coterie::sim
