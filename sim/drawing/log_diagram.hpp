#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/drawing/timing_diagram.hpp"

namespace coterie::sim {

/// What workers 0, ..., `workers` - 1 ran when, from the "log" of a strategy in a trial's replay: chunks that the
/// worker was the first to complete, and others.
TimingDiagram log_diagram(const nlohmann::ordered_json& log, std::size_t workers, const std::string& title);

}  // namespace coterie::sim
