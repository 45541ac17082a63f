#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heuristics/heterogeneous/message_plan.hpp"
#include "heuristics/heterogeneous/share_work.hpp"

namespace coterie::heuristics {

/// What the strategies of heterogeneous workers are asked to share.
struct SharingTask {
  std::vector<LinearWorker> workers;
  double work = 0;  ///< W > 0, finite
  Deployment deployment = Deployment::kForced;
  double startup = 0;                ///< of every piece, work units
  Rounds rounds = Rounds::kOne;      ///< what `replicated` may do; the others send one message a worker
  std::optional<double> piece_size;  ///< of `replicated`; nothing: a size that suits
  /// The optimal order and shares, which several strategies begin with: solved once. Not for several threads.
  const HeterogeneousSolution& optimum() const;
  mutable std::optional<HeterogeneousSolution> known_optimum{};
};

/// A way to share work among workers that differ in speed, bandwidth and linear risk: one row.
struct SharingStrategy {
  std::string name;
  std::string summary;
  std::string source;
  bool one_speed_and_risk;  ///< made for workers that differ only in bandwidth; others are refused
  MessagePlan (*plan)(const SharingTask& task);
};

/// Only `replicated` minds the start-up cost; the others share as if there were none, and pay it.
const std::vector<SharingStrategy>& sharing_strategies();

}  // namespace coterie::heuristics
