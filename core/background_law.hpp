#pragma once

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/speed_profile.hpp"

namespace coterie {

/// A random number of background jobs: they arrive with rate `arrival` and leave one at a time with rate `service`, as
/// in an M/M/1 queue, from `initial` jobs at time 0. Rates are per unit of time. [Wu, Cao, Robertazzi 2019],
/// Section 3.2.1.
struct BackgroundLaw {
  /// How fast jobs leave while n > 0 of them run.
  enum class Departures {
    kFull,    ///< rate `service` whatever n: Algorithm 3 as published, our job takes nothing from the others
    kShared,  ///< rate service * n / (n + 1): our job has an equal share of the machine (time-varying-2019, E9b)
  };

  double arrival = 0;
  double service = 1;
  std::int64_t initial = 0;
  Departures departures = Departures::kFull;

  /// Throws InputError unless arrival >= 0 and service > 0, both finite, and 0 <= initial <= 10^12.
  void validate() const;
  /// rho = arrival / service
  double load() const { return arrival / service; }
  /// Mean number of jobs in equilibrium, rho / (1 - rho), or 2 rho / (1 - rho) with shared departures. Throws
  /// InputError unless rho < 1: the number of jobs then grows without bound.
  double equilibrium_mean() const;
};

/// Throws the RuntimeError of BackgroundWalk::advance.
[[noreturn]] void refuse_long_path(std::size_t changes, double time);

/// A law at work, on a random engine of its own, one change of the number of jobs after the other: Algorithm 3 of
/// [Wu, Cao, Robertazzi 2019].
template <class Engine>
class BackgroundWalk {
 public:
  BackgroundWalk(const BackgroundLaw& law, Engine engine) : law_(law), engine_(std::move(engine)), jobs_(law.initial) {
    draw_change();
  }

  /// The number of jobs until next_change().
  std::int64_t jobs() const { return jobs_; }
  /// Infinite where nothing changes any more.
  double next_change() const { return next_change_; }

  /// Goes on to the next change. Throws RuntimeError after kMostChanges of them.
  void advance() {
    if (++changes_ == kMostChanges) refuse_long_path(kMostChanges, next_change_);
    jobs_ += step_;
    draw_change();
  }

  static constexpr std::size_t kMostChanges = 4'000'000;

 private:
  void draw_change() {
    const auto n = static_cast<double>(jobs_);
    const double shared = law_.departures == BackgroundLaw::Departures::kShared ? n / (n + 1) : 1;
    const double leaving = jobs_ > 0 ? law_.service * shared : 0;
    const double rate = law_.arrival + leaving;
    if (!(rate > 0)) {
      next_change_ = std::numeric_limits<double>::infinity();
      return;
    }
    next_change_ += boost::random::exponential_distribution<double>(rate)(engine_);
    step_ = 1;
    if (jobs_ > 0) step_ = boost::random::uniform_01<double>()(engine_) <= law_.arrival / rate ? 1 : -1;
  }

  BackgroundLaw law_;
  Engine engine_;
  std::int64_t jobs_;
  double next_change_ = 0;
  std::int64_t step_ = 0;
  std::size_t changes_ = 0;
};

/// A walk written down. The path does not depend on how far and in how many steps it is extended.
template <class Engine>
class BackgroundPath {
 public:
  BackgroundPath(const BackgroundLaw& law, Engine engine)
      : walk_(law, std::move(engine)), jobs_{{0.0}, {law.initial}} {}

  /// Knows all changes up to `horizon` from now on. Throws RuntimeError where there are too many for a walk.
  void extend(double horizon) {
    while (walk_.next_change() <= horizon && std::isfinite(walk_.next_change())) {
      const double time = walk_.next_change();
      walk_.advance();
      if (time > jobs_.times.back()) {
        jobs_.times.push_back(time);
        jobs_.counts.push_back(walk_.jobs());
      } else {
        jobs_.counts.back() = walk_.jobs();  // two changes at the same double
      }
    }
  }

  /// The path so far; beyond the greatest horizon its last count is no more than a place holder.
  const JobSequence& jobs() const { return jobs_; }

 private:
  BackgroundWalk<Engine> walk_;
  JobSequence jobs_;
};

}  // namespace coterie
