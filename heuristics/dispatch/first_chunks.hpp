#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// How large the first chunk is of the chunks that are best for one worker alone with more work than it can do, by its
/// age: U(t) = max over x of S(t + x + eps) x + U(t + x + eps + wait), S = 1 - Pr, on a grid of times.
/// [worksharing-2013, Section 3, from any age on and with a wait between chunks]
class FirstChunks {
 public:
  /// `startup_cost` eps >= 0, `wait` >= 0 from the end of a chunk to where the next begins, not both 0; `times`: how
  /// many the grid has, about.
  FirstChunks(const Risk& risk, double startup_cost, double wait, std::size_t times);
  /// At an age >= 0; 0 where nothing is worth beginning.
  double operator()(double age) const;

  const std::vector<double>& times() const { return time_; }  ///< of the grid
  const std::vector<double>& ends() const { return end_; }    ///< by time: when the first chunk ends that begins then

 private:
  double startup_cost_;
  std::vector<double> time_;
  std::vector<double> end_;  // by time: when the first chunk ends; the time itself: nothing is worth beginning
};

}  // namespace coterie::heuristics
