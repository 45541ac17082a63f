#pragma once

#include <string>
#include <vector>

#include "heuristics/now/now_protocol.hpp"
#include "sim/drawing/timing_diagram.hpp"

namespace coterie::sim {

/// A protocol in a lifespan, as the table of [now-2001, "The Model, 3"] lists its steps: the master packages, sets up
/// and transmits for one workstation after another from time 0; each unpacks, works and packages; results are set up
/// and transmitted one after another until the end. Two rows for the master (to and from the workstations), then one
/// row a workstation. `shares` must not be negative.
TimingDiagram now_diagram(const heuristics::Now<double>& now, const heuristics::NowOrders& orders,
                          const std::vector<double>& shares, double lifespan, const std::string& title);

}  // namespace coterie::sim
