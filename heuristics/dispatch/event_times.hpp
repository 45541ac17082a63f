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
    nodes_.resize(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i] = {kNever, static_cast<std::uint32_t>(i)};
    for (std::size_t i = leaves_ - 1; i > 0; --i) nodes_[i] = nodes_[2 * i];
  }
  /// Sets the first `items.size()` <= size() workers at once.
  template <class Items, class TimeOf>
  void assign(const Items& items, const TimeOf& time_of) {
    for (std::size_t i = 0; i < items.size(); ++i) nodes_[leaves_ + i].time = time_of(items[i]);
    for (std::size_t i = leaves_ - 1; i > 0; --i) nodes_[i] = earlier_below(i);
  }
  void set(std::uint32_t worker, double time) {
    nodes_[leaves_ + worker].time = time;
    for (std::size_t i = (leaves_ + worker) / 2; i > 0; i /= 2) {
      const Event first = earlier_below(i);
      if (first.worker == nodes_[i].worker && first.worker != worker) return;  // nothing changes above
      nodes_[i] = first;
    }
  }
  std::size_t size() const { return leaves_; }
  double of(std::uint32_t worker) const { return nodes_[leaves_ + worker].time; }
  std::uint32_t first() const { return nodes_[1].worker; }
  double first_time() const { return nodes_[1].time; }

 private:
  struct Event {
    double time;
    std::uint32_t worker;
  };

  const Event& earlier_below(std::size_t node) const {
    const Event &left = nodes_[2 * node], &right = nodes_[2 * node + 1];
    return right.time < left.time ? right : left;
  }

  std::size_t leaves_ = 1;
  std::vector<Event> nodes_;  // of the tree; node 1 is the root, the leaves come last
};

}  // namespace coterie::heuristics
