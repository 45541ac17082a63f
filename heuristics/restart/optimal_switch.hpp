#pragma once

#include <memory>

#include "heuristics/restart/market_run.hpp"

namespace coterie::heuristics {

struct RestartQuestion;

/// The policy of least expected cost among those that surely meet the deadline, where spot comes and goes by a renewal
/// law: dynamic programming over (time, slack, whether spot is there and since when, what ran last) in steps of time;
/// where saving is free. Throws InputError if a checkpoint costs something or lives are not known.
std::unique_ptr<RestartPolicy> optimal_switch(const RestartQuestion& question);

}  // namespace coterie::heuristics
