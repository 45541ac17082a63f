#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Small platforms with short fractions, for tests in exact arithmetic.
class RandomStars {
 public:
  explicit RandomStars(unsigned seed) : random_(seed) {}

  int whole(int least, int most) { return boost::random::uniform_int_distribution<int>(least, most)(random_); }
  Rational fraction(int least, int most) {
    const int numerator = whole(2 * least, 2 * most);
    return Rational(numerator, 2);
  }

  /// d = z c.
  StarPlatform<Rational> proportional(int workers, const Rational& z) {
    StarPlatform<Rational> platform = free(workers);
    for (auto& worker : platform) worker.return_time = z * worker.send_time;
    return platform;
  }

  StarPlatform<Rational> bus(int workers) {
    StarPlatform<Rational> platform = free(workers);
    for (auto& worker : platform) {
      worker.send_time = platform[0].send_time;
      worker.return_time = platform[0].return_time;
    }
    return platform;
  }

  StarPlatform<Rational> free(int workers) {
    StarPlatform<Rational> platform;
    for (int i = 0; i < workers; ++i) {
      const Rational send = fraction(1, 10);
      const Rational compute = fraction(1, 20);
      const Rational give_back = fraction(1, 10);
      platform.push_back({send, compute, give_back});
    }
    return platform;
  }

 private:
  boost::random::mt19937 random_;
};

}  // namespace coterie::heuristics
