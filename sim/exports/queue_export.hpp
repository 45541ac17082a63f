#pragma once

#include <memory>
#include <string>

#include "core/infinity.hpp"
#include "core/risk.hpp"
#include "heuristics/dispatch/first_chunks.hpp"
#include "heuristics/dispatch/policy_plan.hpp"

namespace coterie::sim {

/// A queue as it is exported. Lengths are in seconds, or in the user's bare numbers.
struct QueueExport {
  std::size_t workers = 1;   ///< machines, without those of a fallback group
  std::size_t fallback = 0;  ///< machines that take only what was lost `tries` times
  double work = 1;
  double task = 0;  ///< indivisible; 0: divisible anywhere
  double checkpoint = 0;
  double shares = 2;  ///< a chunk is at most pool / (shares x workers),
  double least = 0;   ///< but at least this,
  double first = 1;   ///< and at most this part of the best first chunk for its worker alone:
  std::shared_ptr<const heuristics::FirstChunks> chunks{};  ///< by age, of which `scale` is one unit; null: not bounded
  RiskPtr life{};            ///< of a machine that comes up, in the same unit; null: it is never interrupted
  double scale = 1;          ///< that unit
  bool copies = true;        ///< of what others run, once nothing else is left
  std::size_t tries = 0;     ///< after so many losses a task is left to the fallback group; 0: no limit
  double warning = 0;        ///< a machine is told so long before it is interrupted
  double latency = 0;        ///< of news
  double limit = kInfinity;  ///< how long a machine may be needed
  bool has_unit = true;      ///< whether lengths are in seconds

  /// Takes what central has chosen for its question.
  void take(const heuristics::PolicyPlan& plan);
};

/// Throws InputError unless the folder can be made there: nothing is at that place, or an empty folder.
void require_export_folder(const std::string& folder);

/// Writes the parameters, the worker, and what starts workers on one machine, with Slurm and with HTCondor. Throws what
/// require_export_folder does, and RuntimeError.
void export_queue(const std::string& folder, const QueueExport& queue);

}  // namespace coterie::sim
