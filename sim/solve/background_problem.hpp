#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/drawing/timing_diagram.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// problem = "background": a single-level tree under background jobs, known (method = "exact") or known in law only.
/// [Wu, Cao, Robertazzi 2019]. Keys of the tree: background_file.hpp; also method, and for the methods that sample:
/// trials (10000), seed (2019), fresh_trials (as trials; 0 or at least 2): new backgrounds on which the plan is
/// evaluated, and for method = "iterative" first ("no-background" or "before-correction"). The answer has finish_time,
/// start_times and shares (control first), residual; with method = "exact" also single_root, true if it is proven that
/// no other finish time solves the equations, else null, and root_error: how far finish_time is from a time that solves
/// them in exact fractions, null if no such time was found beside it or if there are more than 64 workers or 100,000
/// changes of speed; realised_finish_time if a plan that does not know the background meets jobs in the file;
/// keys_without_effect names those of these keys that the file has for another method.
nlohmann::ordered_json solve_background(TomlTable& file, const RiskKinds& laws);

/// Whether the method of the file plans by the law of the jobs; not if they are known, or left out.
bool plans_by_law(TomlTable& file);

/// The same as a picture: processors and links with their background jobs behind what they compute and send, as
/// [Wu, Cao, Robertazzi 2019] draws it in Figs. 4 and 5. A plan that does not know the background is drawn with the
/// jobs of the file.
TimingDiagram draw_background(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
