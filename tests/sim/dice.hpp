#pragma once

#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <string_view>

#include "core/stream.hpp"

namespace coterie::sim {

/// Draws of a test, by name.
class Dice {
 public:
  explicit Dice(std::string_view name) : stream_(StreamKey::derive(2013, identity_hash(name), Use::kPlatform), 0, 0) {}
  std::size_t whole(std::size_t least, std::size_t most) {
    return boost::random::uniform_int_distribution<std::size_t>(least, most)(stream_);
  }
  double real(double least, double most) {
    return boost::random::uniform_real_distribution<double>(least, most)(stream_);
  }
  bool coin() { return whole(0, 1) == 1; }

 private:
  Stream stream_;
};

}  // namespace coterie::sim
