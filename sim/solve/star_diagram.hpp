#pragma once

#include <string>

#include "heuristics/return_messages/star_platform.hpp"
#include "sim/drawing/timing_diagram.hpp"

namespace coterie::sim {

/// A schedule of length `lifespan` made of `sharing` as the figures of [return-messages-2005, Section 2] draw it: the
/// master's port (two rows with two ports: sending and receiving), then one row a worker of the platform. Messages go
/// out one after another from time 0, each worker computes as soon as it has its work, and messages return one after
/// another until the end.
TimingDiagram star_diagram(const heuristics::StarPlatform<double>& platform,
                           const heuristics::StarSharing<double>& sharing, heuristics::Ports ports, double lifespan,
                           const std::string& title);

}  // namespace coterie::sim
