#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/risk.hpp"
#include "core/schedule.hpp"
#include "heuristics/heterogeneous/linear_platform.hpp"

namespace coterie::heuristics {

/// A worker behind its own link, under any risk.
struct RiskyWorker {
  double speed = 1;      ///< s: work per time, > 0 and finite
  double bandwidth = 1;  ///< bw: work per time, > 0; infinite: communication is free
  RiskPtr risk;          ///< by its age in units of time

  double receive() const { return 1 / bandwidth; }  ///< c: time to receive a unit of work
  double compute() const { return 1 / speed; }      ///< d: time to process a unit of work
};

std::vector<RiskyWorker> under_linear_risk(Platform platform);

/// How many messages a worker may get.
enum class Rounds {
  kOne,      ///< one message per worker, as in heterogeneous-2011
  kSeveral,  ///< any number: a worker computes while its next message is on the way
};

/// What the master sends at once: pieces that the worker processes in this order, each with a start-up cost.
struct Message {
  std::size_t worker = 0;
  std::vector<std::uint32_t> pieces;
};

/// Pieces of work, and messages in the order in which the master sends them, one at a time and without a break. A
/// piece may be sent to several workers, once to each.
///
/// A message of w work units to worker i occupies the master for w c_i. The worker begins once it has all of it and
/// has finished its earlier messages; a piece of size w takes (w + eps) d_i, eps the start-up cost in work units.
/// With one message and one piece per worker and eps = 0 these are the finish times of heterogeneous-2011, Section 2;
/// with free communication and unit speeds those of worksharing-2013, Section 2.2.3.
struct MessagePlan {
  std::vector<double> piece_sizes;
  std::vector<Message> messages;

  double deployed_work() const;
};

/// The exact expected work of plans, for builders that evaluate it many times. The workers' risks must outlive it.
class MessagePlanValue {
 public:
  MessagePlanValue(std::span<const RiskyWorker> workers, double startup);

  double operator()(const MessagePlan& plan);
  /// For the plan evaluated last: for each piece, the probability that nobody completes it.
  std::span<const double> lost() const { return lost_; }

 private:
  /// A RiskyWorker with frequently used values.
  struct Evaluated {
    double receive_time;
    double compute_time;
    std::optional<double> linear_rate;
    const Risk* risk;

    double receive() const { return receive_time; }
    double compute() const { return compute_time; }
    double probability(double time) const {
      if (!linear_rate) return risk->probability(time);
      const double line = *linear_rate * time;  // at least 0; by values, which needs no branches
      return 1 < line ? 1 : line;
    }
  };

  std::vector<Evaluated> workers_;
  double startup_;
  std::vector<double> lost_;
  std::vector<double> free_at_;
};

/// Work completed if worker i is interrupted at interruptions[i].
double completed_work(const MessagePlan& plan, Platform workers, double startup, std::span<const double> interruptions);

/// The same plan for the exact evaluator of all schedules and for the simulation. Capacities are times.
Schedule to_schedule(const MessagePlan& plan, std::span<const RiskyWorker> workers, double startup);

}  // namespace coterie::heuristics
