#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/dispatch/heard.hpp"

namespace coterie::heuristics {

/// The best way for two workers of one risk to share work if all news is immediate, on a grid, with restrictions: sizes
/// of chunks and the start-up cost are multiples of one unit, copies are of whole chunks, one of two idle workers
/// begins at once or neither ever does, a worker that waits for the other begins nothing before that one's planned end,
/// and nothing ends after the effective horizon, rounded up to a unit, or after twice the work and 16 start-up costs if
/// that is earlier. A dynamic programme over (time, work that nobody has, the other
/// worker's chunk, its remaining time) and, for a worker that is left alone, over (time, work).
class TwoListeners {
 public:
  /// Nothing if the grid would be too coarse for the start-up cost, or too large.
  static std::optional<TwoListeners> solve(const Risk& risk, double work, double startup_cost);

  /// Expected work completed.
  double value() const { return both_value_[at(0, cells_)]; }
  double unit() const { return unit_; }

  static constexpr std::uint8_t kNothing = 0;
  static constexpr std::uint8_t kCopy = 255;
  /// The size of the next chunk in units, or one of these. Times, works and sizes in units, rounded.
  std::uint8_t alone(std::size_t time, std::size_t rest) const;
  std::uint8_t both_idle(std::size_t time, std::size_t rest) const;
  std::uint8_t other_busy(std::size_t time, std::size_t rest, std::size_t chunk, std::size_t remaining) const;

 private:
  TwoListeners(const Risk& risk, double unit, std::size_t cells, std::size_t startup, std::size_t times);
  std::size_t at(std::size_t time, std::size_t rest) const { return time * (cells_ + 1) + rest; }
  std::size_t at(std::size_t time, std::size_t rest, std::size_t chunk, std::size_t remaining) const {
    return (at(time, rest) * (cells_ + 1) + chunk) * (cells_ + startup_ + 1) + remaining;
  }
  void solve_alone(std::size_t time);
  void solve_busy(std::size_t time);
  void solve_idle(std::size_t time);
  double fresh(std::size_t time, std::size_t rest, std::size_t chunk, std::size_t end, std::size_t size) const;
  double copy(std::size_t time, std::size_t rest, std::size_t chunk, std::size_t end) const;
  double alone_value(std::size_t time, std::size_t rest) const;
  double both_value(std::size_t time, std::size_t rest) const;
  /// P(alive at `to` | alive at `from`).
  double survives(std::size_t from, std::size_t to) const;

  double unit_;
  std::size_t cells_;    // of the work
  std::size_t startup_;  // in units
  std::size_t times_;    // later nothing is worth beginning, or considered
  std::vector<double> survival_;
  std::vector<double> alone_value_;
  std::vector<double> both_value_;
  std::vector<float> busy_value_;
  std::vector<std::uint8_t> alone_;
  std::vector<std::uint8_t> both_;
  std::vector<std::uint8_t> busy_;
};

/// Hands out work as TwoListeners says.
class TwoListenersPolicy final : public ListeningPolicy {
 public:
  explicit TwoListenersPolicy(std::shared_ptr<const TwoListeners> table) : table_(std::move(table)) {}
  Order next(const Heard& heard, std::uint32_t worker) override;
  PolicyPlan plan() const override { return {chosen_as_, {{"unit", table_->unit()}}, {}}; }

 private:
  std::shared_ptr<const TwoListeners> table_;
};

}  // namespace coterie::heuristics
