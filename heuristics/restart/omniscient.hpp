#pragma once

#include "heuristics/restart/market_run.hpp"

namespace coterie::heuristics {

/// The least finishing time on spot alone of anyone who knows all of it: every time that is long enough is used whole,
/// with one checkpoint at its end.
double omniscient_finish(const MarketJob& job, SpotTimes& spot);

/// The least cost of anyone who knows all of it and meets the deadline, finite and >= work, on both markets. If not
/// exact: a lower bound of it, or, where changes cost less than restarts, near it.
struct LeastCost {
  double cost;
  bool exact;
};
LeastCost omniscient_cost(const MarketJob& job, SpotTimes& spot);

}  // namespace coterie::heuristics
