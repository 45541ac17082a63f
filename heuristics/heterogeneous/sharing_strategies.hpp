#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heuristics/heterogeneous/message_plan.hpp"
#include "heuristics/heterogeneous/share_work.hpp"

namespace coterie::heuristics {

/// The problem that strategies for heterogeneous workers solve.
struct SharingTask {
  std::vector<LinearWorker> workers;
  double work = 0;  ///< W > 0, finite
  Deployment deployment = Deployment::kForced;
  double startup = 0;                ///< of every piece, work units
  Rounds rounds = Rounds::kOne;      ///< for `replicated`; the others send one message per worker
  std::optional<double> piece_size;  ///< for `replicated`; nothing: chosen automatically
  /// The optimal order and shares, with which several strategies begin; computed once. Not thread-safe.
  const HeterogeneousSolution& optimum() const;
  mutable std::optional<HeterogeneousSolution> known_optimum{};
};

/// A way to share work among workers that differ in speed, bandwidth and linear risk.
struct SharingStrategy {
  std::string name;
  std::string summary;
  std::string source;
  bool one_speed_and_risk;  ///< only for workers that differ in nothing but bandwidth
  MessagePlan (*plan)(const SharingTask& task);
};

/// Only `replicated` takes the start-up cost into account; the others share as if there were none, and pay it.
const std::vector<SharingStrategy>& sharing_strategies();

}  // namespace coterie::heuristics
