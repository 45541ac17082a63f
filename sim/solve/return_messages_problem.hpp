#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/toml_document.hpp"

namespace coterie::sim {

/// problem = "return-messages": a star whose workers return results [Beaumont, Marchal, Robert 2005].
/// Keys: ports = "two" (default) or "one"; strategy (star_strategies), or send and return: the two orders, worker
/// numbers from 1, of all or some workers; [[worker]] send, compute, return: times per unit of load. Answer:
/// throughput, throughput_exact where computed exactly, send and return (the enrolled, in order), shares by worker,
/// shares_exact. Throws InputError with the place of what is wrong.
nlohmann::ordered_json solve_return_messages(TomlTable& file);

}  // namespace coterie::sim
