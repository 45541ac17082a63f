#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// `problem = "two-workers"`: work, chunks (the most per worker; optional for "best" with a start-up cost),
/// startup, risk, shape = "symmetric-single-chunk", "algorithm-1", "printed-algorithm-1", "mirrored" (without start-up
/// cost), "best" (default) or "given": worker_1 and worker_2, lists of [begin, end] in order of execution, are
/// evaluated and checked for the characteristics of Theorem 5, and compared with the schedule of that shape that loses
/// nothing; charged_startup, see read_charged_startup. The answer has "expected_work_bound", which no schedule with at
/// most `chunks` chunks per worker (if that is left out: any number, or 1 for "symmetric-single-chunk") exceeds, and
/// "theorem_1": bounds for the other initiation model.
nlohmann::ordered_json solve_two_workers(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
