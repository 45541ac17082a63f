#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/toml_document.hpp"

namespace coterie::sim {

/// `problem = "two-workers"`: work, chunks (at most, of each worker), startup = 0, risk, shape =
/// "symmetric-single-chunk", "algorithm-1", "printed-algorithm-1", "mirrored" or "best" (default).
nlohmann::ordered_json solve_two_workers(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
