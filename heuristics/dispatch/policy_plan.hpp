#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/dispatch/first_chunks.hpp"

namespace coterie::heuristics {

/// The choices that a policy made for its question beforehand; for human readers and for checks of its decisions.
struct PolicyPlan {
  std::string chosen;  ///< which of several policies; empty: the one that it is named after
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::shared_ptr<const FirstChunks>> first_chunks;  ///< one per worker, or one for all; none: not bounded

  bool empty() const { return chosen.empty() && parameters.empty() && first_chunks.empty(); }
};

}  // namespace coterie::heuristics
