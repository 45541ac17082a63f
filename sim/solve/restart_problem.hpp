#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// `problem = "restart"`: a job that goes on from its last checkpoint on the next machine. work, checkpoint, restart,
/// down (a length or the text of a law), risk, gang; method = "optimal" (with `steps`: in chunks of whole steps of the
/// work), "young", "daly", "interval" with interval, or "table" with age_step and chunks: a row for each work left of
/// 1, 2, ... steps, a column for each age of 0, 1, ... age steps, chunks in steps. The answer has the chunks of a job
/// to which nothing happens.
nlohmann::ordered_json solve_restart(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
