#pragma once

#include <utility>
#include <vector>

#include "heuristics/restart/market_run.hpp"

namespace coterie::heuristics {

/// Times of spot that a test says.
class GivenTimes final : public SpotTimes {
 public:
  explicit GivenTimes(std::vector<UpTime> times) : times_(std::move(times)) {}

 private:
  bool draw(UpTime& next) override {
    if (next_ == times_.size()) return false;
    next = times_[next_++];
    return true;
  }
  std::vector<UpTime> times_;
  std::size_t next_ = 0;
};

}  // namespace coterie::heuristics
