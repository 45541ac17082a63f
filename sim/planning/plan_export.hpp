#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// The formats of an exported plan, by the ending of the file name: ".csv", ".json", ".sbatch", ".sub", ".svg".
const std::vector<std::string>& export_kinds();
/// Throws InputError for a file name with any other ending.
void require_export_kind(const std::string& path);

/// What each machine runs: {"chunks": [{"chunk", "begin", "end"}, ...], "machines": [{"machine", "chunks", "finish"},
/// ...]}, with all lengths times `scale`; also pieces of the work that are in no list.
nlohmann::ordered_json lists_json(const Schedule& schedule, double scale);

/// The chosen schedule in that format: all times and amounts of work in seconds, or in the user's bare numbers.
std::string exported_plan(const PlanView& view, const std::string& kind);

}  // namespace coterie::sim
