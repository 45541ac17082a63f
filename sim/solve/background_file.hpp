#pragma once

#include <vector>

#include "heuristics/background/background_plans.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// The tree of a file with problem = "background". Keys:
/// - at the top: tcm, tcp (1); arrival, service, initial (0), departures ("full" or "shared"), the law of background
///   jobs on every machine, or, with varying = "workers" instead of "all", on the workers' processors only; share,
///   share_continues;
/// - in [control] and [[worker]]: inverse_speed, inverse_bandwidth, jobs and link_jobs = {times, counts}, share,
///   link_share, share_continues; arrival, service, initial, and link_arrival, link_service, link_initial, for this
///   machine instead of the law at the top.
/// Link settings in [control] apply to every worker without its own: one process of connections on the control
/// processor, seen by all links (time-varying-2019, A3).
/// share lists W^h(1), W^h(2), ... or, beginning with 1, multiples of inverse_speed; the multiples hold for the link
/// too unless there is a link_share. The last level holds for any greater number of jobs, unless share_continues =
/// false (of the machine, with its link, or at the top for all).
struct BackgroundFile {
  heuristics::TimeVaryingTree known;  ///< speeds under jobs and link_jobs
  bool has_jobs = false;              ///< whether the file gives any
  JobSequence control_jobs;           ///< the same jobs as counts; for links, those of the shared connections
  std::vector<JobSequence> processor_jobs;
  std::vector<JobSequence> link_jobs;
  heuristics::RandomTree random;  ///< the same machines under the laws
  std::vector<Place> law_places;  ///< where each of random.processes is written
};

/// Throws InputError, with the place, for anything that is not such a tree.
BackgroundFile read_background_file(TomlTable& file);

}  // namespace coterie::sim
