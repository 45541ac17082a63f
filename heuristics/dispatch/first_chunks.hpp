#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// The size of the first of the chunks that are best for one worker alone with more work than it can do, by its age:
/// U(t) = max over x of S(t + x + eps) x + U(t + x + eps + wait), S = 1 - Pr, on a grid of times. [worksharing-2013,
/// Section 3, from any age, and with a wait between chunks]
class FirstChunks {
 public:
  /// `startup_cost` eps >= 0, `wait` >= 0 from the end of a chunk to the beginning of the next, not both 0; `times`:
  /// approximate size of the grid.
  FirstChunks(const Risk& risk, double startup_cost, double wait, std::size_t times);
  /// At an age >= 0; 0 if nothing is worth beginning. Infinite from the age on at which a worker is never interrupted
  /// any more (the open tail of a trace); before, chunks that would end after that age are not considered.
  double operator()(double age) const;

  const std::vector<double>& times() const { return time_; }  ///< of the grid
  const std::vector<double>& ends() const { return end_; }    ///< by time: the end of the first chunk that begins then

 private:
  double startup_cost_;
  double beyond_;  // the answer where no chunk ends on the grid
  std::vector<double> time_;
  std::vector<double> end_;  // by time: when the first chunk ends; the time itself: nothing is worth beginning
};

}  // namespace coterie::heuristics
