#pragma once

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

  /// The next change while `jobs` run.
  struct Change {
    double mean_time = 0;       ///< mean time until it comes; infinite if nothing changes any more
    std::uint64_t arrival = 0;  ///< this many of 2^32 such changes are arrivals
  };
  Change change(std::int64_t jobs) const;

  /// Throws InputError unless arrival >= 0 and service > 0, both finite, and 0 <= initial <= 10^12.
  void validate() const;
  /// rho = arrival / service
  double load() const { return arrival / service; }
  /// Mean number of jobs in equilibrium, rho / (1 - rho), or 2 rho / (1 - rho) with shared departures. Throws
  /// InputError unless rho < 1; otherwise the number of jobs grows without bound.
  double equilibrium_mean() const;
};

/// -ln u of the uniform u = (word + 1/2) / 2^32: a standard exponential. Uses a series in which IEEE 754
/// fixes the rounding of every operation, so that every machine and the simulation's vector code give the same bits;
/// within 1e-13 of the exact value.
double to_exponential(std::uint32_t word);

/// Throws the RuntimeError of BackgroundWalk::advance.
[[noreturn]] void refuse_long_path(std::size_t changes, double time);

/// Simulates a law with its own random engine of 32-bit numbers, one change of the number of jobs after another:
/// Algorithm 3 of [Wu, Cao, Robertazzi 2019]. Each change takes two numbers: when, and whether it is an arrival.
template <class Engine>
class BackgroundWalk {
 public:
  BackgroundWalk(const BackgroundLaw& law, Engine engine) : law_(law), engine_(std::move(engine)), jobs_(law.initial) {
    draw_change();
  }

  /// The number of jobs until next_change().
  std::int64_t jobs() const { return jobs_; }
  /// Infinite if nothing changes any more.
  double next_change() const { return next_change_; }

  /// Moves to the next change. Throws RuntimeError after kMostChanges of them.
  void advance() {
    if (++changes_ == kMostChanges) refuse_long_path(kMostChanges, next_change_);
    jobs_ += step_;
    draw_change();
  }

  static constexpr std::size_t kMostChanges = 4'000'000;

 private:
  void draw_change() {
    const BackgroundLaw::Change change = law_.change(jobs_);
    const std::uint32_t when = engine_();
    const std::uint32_t which = engine_();
    next_change_ += to_exponential(when) * change.mean_time;
    step_ = which < change.arrival ? 1 : -1;
  }

  BackgroundLaw law_;
  Engine engine_;
  std::int64_t jobs_;
  double next_change_ = 0;
  std::int64_t step_ = 0;
  std::size_t changes_ = 0;
};

/// A recorded walk. The path does not depend on how far, or in how many steps, it is extended.
template <class Engine>
class BackgroundPath {
 public:
  BackgroundPath(const BackgroundLaw& law, Engine engine)
      : walk_(law, std::move(engine)), jobs_{{0.0}, {law.initial}} {}

  /// Extends the path to `horizon`. Throws RuntimeError if there are too many changes for a walk.
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

  /// The path so far; beyond the greatest horizon its last count is only a placeholder.
  const JobSequence& jobs() const { return jobs_; }

 private:
  BackgroundWalk<Engine> walk_;
  JobSequence jobs_;
};

}  // namespace coterie
