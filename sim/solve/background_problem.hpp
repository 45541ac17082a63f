#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/toml_document.hpp"

namespace coterie::sim {

/// problem = "background": a single-level tree under background jobs, known (method = "exact") or known in law only.
/// [Wu, Cao, Robertazzi 2019]. Keys of the tree: background_file.hpp; besides, method, and for the methods that sample:
/// trials (10000), seed (2019), and for method = "iterative" first ("no-background" or "before-correction").
/// Answers finish_time, start_times and shares (control first), residual; where a plan that does not know the
/// background meets jobs in the file, also realised_finish_time.
nlohmann::ordered_json solve_background(TomlTable& file);

}  // namespace coterie::sim
