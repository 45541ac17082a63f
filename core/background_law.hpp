#pragma once

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cstddef>
#include <cstdint>
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

/// One random path of a law, on a random engine of its own: Algorithm 3 of [Wu, Cao, Robertazzi 2019]. The path does
/// not depend on how far and in how many steps it is extended.
template <class Engine>
class BackgroundPath {
 public:
  BackgroundPath(const BackgroundLaw& law, Engine engine)
      : law_(law), engine_(std::move(engine)), jobs_{{0.0}, {law.initial}} {
    draw_change();
  }

  /// Knows all changes up to `horizon` from now on. Throws RuntimeError where there would be more than kMostChanges.
  void extend(double horizon) {
    while (next_change_ <= horizon) {
      if (jobs_.times.size() == kMostChanges) fail_at(next_change_);
      if (next_change_ > jobs_.times.back()) {
        jobs_.times.push_back(next_change_);
        jobs_.counts.push_back(jobs_.counts.back() + step_);
      } else {
        jobs_.counts.back() += step_;  // two changes at the same double
      }
      draw_change();
    }
  }

  /// The path so far; beyond the greatest horizon its last count is no more than a place holder.
  const JobSequence& jobs() const { return jobs_; }

  static constexpr std::size_t kMostChanges = 4'000'000;

 private:
  void draw_change() {
    const std::int64_t count = jobs_.counts.back();
    const auto n = static_cast<double>(count);
    const double shared = law_.departures == BackgroundLaw::Departures::kShared ? n / (n + 1) : 1;
    const double leaving = count > 0 ? law_.service * shared : 0;
    const double rate = law_.arrival + leaving;
    if (!(rate > 0)) {
      next_change_ = kNever;
      return;
    }
    next_change_ += boost::random::exponential_distribution<double>(rate)(engine_);
    step_ = 1;
    if (count > 0) step_ = boost::random::uniform_01<double>()(engine_) <= law_.arrival / rate ? 1 : -1;
  }

  [[noreturn]] static void fail_at(double time);

  static constexpr double kNever = 1e300;

  BackgroundLaw law_;
  Engine engine_;
  JobSequence jobs_;
  double next_change_ = 0;
  std::int64_t step_ = 0;
};

/// Throws the RuntimeError of BackgroundPath::extend.
[[noreturn]] void refuse_long_path(std::size_t changes, double time);

template <class Engine>
void BackgroundPath<Engine>::fail_at(double time) {
  refuse_long_path(kMostChanges, time);
}

}  // namespace coterie
