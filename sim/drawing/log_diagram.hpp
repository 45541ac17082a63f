#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/drawing/timing_diagram.hpp"

namespace coterie::sim {

/// What workers 0, ..., `workers` - 1 ran when, by the "log" that a trial's replay has of a strategy: chunks that were
/// completed first, and others.
TimingDiagram log_diagram(const nlohmann::ordered_json& log, std::size_t workers, const std::string& title);

}  // namespace coterie::sim
