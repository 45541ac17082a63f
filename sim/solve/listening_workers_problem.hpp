#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// problem = "listening-workers": what it is worth that workers report each chunk. Keys: work W, startup (default 0)
/// and step (default W/100) in units of work, W and startup multiples of the step, W at most 400 steps; risk for all
/// workers, or in each [[worker]]. Answer: expected_work, the optimum of running the workers one after another in the
/// order of the file, each by a policy that knows what those before it completed, in chunks of whole steps
/// (sequential_value.hpp); own_clocks, an upper bound for policies that drop no chunk and whose chunks begin and end on
/// the grid of steps, also if workers run at the same time (own_clocks.hpp), null if it has too many states, as for
/// many workers and for long lives in short steps; expected_work_bound, an upper bound for all policies, with chunks of
/// any sizes (listening_ceiling.hpp), null if it is not known. Throws InputError with the place of what is wrong.
nlohmann::ordered_json solve_listening_workers(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
