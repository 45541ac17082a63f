#pragma once

#include <optional>
#include <vector>

#include "core/background_law.hpp"

namespace coterie {

/// P(capacity >= w) of a worker interrupted at an exponential time, beside the background jobs of a law. On the clock
/// of the work done, where n jobs make everything n + 1 times as fast, the number of jobs is a Markov chain, up from n
/// with rate (n + 1) arrival, down with (n + 1) service (or n service with shared departures), that dies with rate (n +
/// 1) rate; the probability is that it lives at w. By uniformisation, which only adds and multiplies what is positive:
/// numbers of jobs are cut off where the chain dies before it gets there but for 1e-13.
class KilledQueue {
 public:
  /// Nothing where the chain needs too many states and steps to be affordable, or where rounding might exceed 1e-11.
  static std::optional<KilledQueue> make(const BackgroundLaw& law, double rate, double limit);

  /// For work in [0, limit]; beyond it, the value at the limit: an upper bound.
  double survival(double work) const;

 private:
  using State = std::vector<double>;  // by number of jobs: the probability of living on

  KilledQueue() = default;
  State after(const State& state, double work) const;
  State stepped(const State& state) const;

  std::size_t initial_ = 0;
  double pace_ = 0;         // of uniformised steps, per unit of work
  double step_ = 0;         // between the states that are kept
  std::vector<double> up_;  // these three: probabilities of a step
  std::vector<double> down_;
  std::vector<double> stay_;
  std::vector<State> kept_;
};

}  // namespace coterie
