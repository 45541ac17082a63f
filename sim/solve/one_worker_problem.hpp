#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// `problem = "one-worker"`: work, chunks (the most; optional if a start-up cost or a trace limits them), startup,
/// risk, shape = "optimal" (default) or "equal-chunks" (Theorem 3); charged_startup, see read_charged_startup. The
/// answer has "theorem_1": bounds for the other initiation model.
nlohmann::ordered_json solve_one_worker(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
