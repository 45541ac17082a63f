#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/background_law.hpp"

namespace coterie {

/// The law of the processing V(t) that a worker does by time t, at speed 1/(n + 1) beside n background jobs of a
/// law: a queue with its speeds as rewards, by uniformisation over the number of jumps and the order statistics of
/// their times, using only sums of positive terms. [Nabli and Sericola 1996, "Performability analysis: a new
/// algorithm", IEEE Transactions on Computers 45(4)] The numbers of jobs and jumps are cut off such that at most kLost
/// is lost.
class ProcessingLaw {
 public:
  static constexpr double kLost = 1e-11;

  /// For times in [0, longest]. Nothing if too many jumps or jobs are likely.
  static std::optional<ProcessingLaw> make(const BackgroundLaw& law, double longest);

  /// P(V(time) >= work), a lower bound, within 2 kLost. Requires time in [0, longest].
  double done_by(double time, double work) const;
  /// The number of possible speeds, descending from 1. Between two times at which one of them would have done just the
  /// work, done_by is smooth.
  std::size_t speeds() const { return levels_; }
  /// How many operations done_by takes at the longest time.
  double cost() const { return static_cast<double>(jumps_ * jumps_) / 2; }

 private:
  ProcessingLaw() = default;
  const double& at(std::size_t level, std::size_t jumps, std::size_t k) const {
    return table_[(level * (jumps_ + 1) + jumps) * (jumps_ + 1) + k];
  }

  double initial_speed_ = 1;
  double leave_ = 0;           // rate of the first change
  double pace_ = 0;            // of uniformised jumps
  std::size_t jumps_ = 0;      // at most
  std::size_t levels_ = 0;     // 1, 1/2, ..., 1/levels
  std::vector<double> table_;  // b of the start, by level (from the lowest), jumps and k
};

}  // namespace coterie
