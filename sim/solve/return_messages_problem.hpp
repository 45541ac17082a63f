#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/drawing/timing_diagram.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// problem = "return-messages": a star whose workers return results [Beaumont, Marchal, Robert 2005].
/// Keys: ports = "two" (default) or "one"; strategy (star_strategies), or send and return: the two orders, worker
/// numbers from 1, of all or some workers; [[worker]] send, compute, return: times per unit of load. Answer:
/// throughput, throughput_exact where computed exactly, send and return (the enrolled, in order), shares by worker,
/// shares_exact. lifespan: the length of the schedule (1 unless written); the answer then has work = lifespan x
/// throughput.
/// Interruptions: risk for all workers, or in each [[worker]]. The answer then has the expected returned work of the
/// schedule (worker_risks, interrupted_returns) and the length up to the lifespan at which it is greatest, of those
/// that best_lifespan tries; strategy = "best-expected" chooses the orders by it (risk_aware_orders). Throws InputError
/// with the place of what is wrong.
nlohmann::ordered_json solve_return_messages(TomlTable& file, const RiskKinds& laws);
/// The schedule of the answer as a picture.
TimingDiagram draw_return_messages(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
