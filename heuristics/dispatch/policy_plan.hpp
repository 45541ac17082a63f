#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/dispatch/first_chunks.hpp"

namespace coterie::heuristics {

/// What a policy goes by that was chosen for its question: for people, and for whoever checks its decisions.
struct PolicyPlan {
  std::string chosen;  ///< which of several policies; empty: it is what its name says
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::shared_ptr<const FirstChunks>> first_chunks;  ///< one a worker or one for all; none: not bounded

  bool empty() const { return chosen.empty() && parameters.empty() && first_chunks.empty(); }
};

}  // namespace coterie::heuristics
