#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/return_messages/interrupted_returns.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// The risks of workers that may be interrupted: `risk` at the top of the file for all of them, `risk` in a [[worker]]
/// for that one. None if the file names none. Throws InputError if some have a risk and others do not.
std::vector<RiskPtr> read_worker_risks(TomlTable& file, std::vector<TomlTable>& workers, const RiskKinds& laws);

/// Adds the work that comes back from workers that may be interrupted: uninterrupted_work, expected_returned_work, and
/// by worker return_times (null if it is not enrolled) and survival, the probability that its work comes back.
void add_returns(nlohmann::ordered_json& json, const heuristics::ReturnPlan& plan, const std::vector<RiskPtr>& risks);

}  // namespace coterie::sim
