#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/infinity.hpp"

namespace coterie::heuristics {

/// The next event of each worker, and which one is first: a tournament tree. Ties go to the worker with the lower
/// number.
class EventTimes {
 public:
  static constexpr double kNever = kInfinity;

  void clear(std::size_t workers) {
    leaves_ = std::bit_ceil(workers);
    time_.assign(leaves_, kNever);
    winner_.resize(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = static_cast<std::uint32_t>(i);
    for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = winner_[2 * i];
  }
  /// Sets the first `items.size()` <= size() workers at once.
  template <class Items, class TimeOf>
  void assign(const Items& items, const TimeOf& time_of) {
    for (std::size_t i = 0; i < items.size(); ++i) time_[i] = time_of(items[i]);
    for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = earlier(winner_[2 * i], winner_[2 * i + 1]);
  }
  void set(std::uint32_t worker, double time) {
    time_[worker] = time;
    for (std::size_t i = (leaves_ + worker) / 2; i > 0; i /= 2) {
      const std::uint32_t first = earlier(winner_[2 * i], winner_[2 * i + 1]);
      if (first == winner_[i] && first != worker) return;  // nothing changes above
      winner_[i] = first;
    }
  }
  std::size_t size() const { return leaves_; }
  double of(std::uint32_t worker) const { return time_[worker]; }
  std::uint32_t first() const { return winner_[1]; }
  double first_time() const { return time_[first()]; }

 private:
  std::uint32_t earlier(std::uint32_t left, std::uint32_t right) const {
    return time_[right] < time_[left] ? right : left;
  }

  std::size_t leaves_ = 1;
  std::vector<double> time_;
  std::vector<std::uint32_t> winner_;  // by node of the tree; node 1 is the root, the leaves come last
};

}  // namespace coterie::heuristics
