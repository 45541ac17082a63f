#pragma once

#include <cstdint>
#include <vector>

#include "core/infinity.hpp"
#include "heuristics/heterogeneous/message_plan.hpp"
#include "heuristics/heterogeneous/replicated_sharing.hpp"

namespace coterie::heuristics {

/// The most copies of pieces in a plan if the user did not give the size of pieces.
inline constexpr std::size_t kMostCopies = 2000;

/// A plan under construction: copies are added, moved and resized where that raises the exact expected work most.
class PlanBuilder {
 public:
  /// `problem` must outlive the builder. `start` is the initial plan; new pieces have size `piece_size`.
  PlanBuilder(const ReplicationProblem& problem, double piece_size, MessagePlan start);
  /// Adds copies as long as one gains, then moves each to its best place.
  void build();

  /// Hands out the rest where it costs least.
  void deploy_all();

  /// Sizes of the pieces along the gradient of the expected work, with the same copies in the same order. If all of
  /// the work is handed out, it stays so: pieces trade. [Projected gradient ascent, steps halved until they gain]
  void polish_sizes();

  double value() const { return value_; }
  std::size_t copies() const { return copies_; }
  const MessagePlan& plan() const { return plan_; }

 private:
  /// The place of one copy.
  struct Place {
    double value = -kInfinity;
    std::uint32_t piece = 0;
    std::size_t message = 0;
    std::size_t position = 0;  ///< in the message
    bool new_message = false;
  };

  double fresh_size() const;

  /// The derivative of the expected work by the size of each piece.
  std::vector<double> marginal_values();

  /// The piece most at risk that the worker does not have, and a new one.
  std::vector<std::uint32_t> candidates(std::size_t worker) const;
  Place best_place(std::size_t worker);
  void put(std::size_t worker, const Place& place);
  void remember_losses();

  /// Lazy evaluation: the last known gain of a worker is rarely less than its gain now, so the most promising worker is
  /// evaluated first, and others only if its gain has fallen. [Minoux 1978]
  void add_copies();
  std::size_t most_copies() const;

  /// Moves each copy to its best place, on any worker.
  void move_copies();
  void restore(const PlanBuilder& before);
  void drop_pieces_that_nobody_has();
  void take_out(std::size_t message, std::size_t position);

  /// Serves the worker last and gives it the rest, and whatever only it had, at its end.
  static MessagePlan given_to_last(MessagePlan plan, std::size_t worker, double rest, bool another_message);

  const ReplicationProblem& problem_;
  MessagePlanValue value_of_;
  double piece_size_;
  MessagePlan plan_;
  std::size_t copies_;
  double remaining_;
  std::vector<std::vector<char>> has_;  ///< worker, piece
  double value_ = 0;
  std::vector<double> lost_;
};

}  // namespace coterie::heuristics
