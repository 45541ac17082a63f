#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// `problem = "heterogeneous"`: work, deployment = "forced" (default, as the paper's Definition 1) or "optional",
/// order (optional, fixed), method = "optimal" (default) or "printed-theorem-4", and [[worker]] tables with speed,
/// bandwidth (inf: free) and a linear risk.
/// method = "replicated": any risk, startup (work units, default 0), chunks (a whole number: pieces begin with the
/// size work / chunks, and there may be more or fewer; default: sizes are tried, and the best result is taken),
/// rounds = "one" (default) or "several"; no fixed order. The answer also has chunk_sizes and messages.
nlohmann::ordered_json solve_heterogeneous(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
