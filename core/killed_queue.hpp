#pragma once

#include <optional>
#include <vector>

#include "core/background_law.hpp"

namespace coterie {

/// P(capacity >= w) of a worker that runs beside the background jobs of a law and is interrupted at an exponential
/// time. On the clock of the work done, on which n jobs make everything n + 1 times as fast, the number of jobs is a
/// Markov chain: up from n with rate (n + 1) arrival, down with (n + 1) service (or n service with shared departures),
/// killed with rate (n + 1) rate. The result is the probability that it is alive at w. Computed by uniformisation,
/// which only adds and multiplies positive numbers; states that the chain reaches with probability below 1e-13 are cut
/// off.
class KilledQueue {
 public:
  /// Nothing if the chain needs too many states or steps, or if rounding might exceed 5e-11.
  static std::optional<KilledQueue> make(const BackgroundLaw& law, double rate, double limit);

  /// For work in [0, limit]; beyond it, the value at the limit, an upper bound.
  double survival(double work) const;

 private:
  using State = std::vector<double>;  // by number of jobs: the probability of survival

  KilledQueue() = default;
  State after(const State& state, double work) const;
  State stepped(const State& state) const;

  std::size_t initial_ = 0;
  double pace_ = 0;         // uniformised steps per unit of work
  double step_ = 0;         // work between the states that are kept
  std::vector<double> up_;  // these three: probabilities of a step
  std::vector<double> down_;
  std::vector<double> stay_;
  std::vector<State> kept_;
};

}  // namespace coterie
