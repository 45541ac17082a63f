#include "core/killed_queue.hpp"

#include <algorithm>
#include <cmath>

namespace coterie {
namespace {

constexpr double kCutOff = 1e-13;
constexpr double kMostStates = 4000;
constexpr double kMostSteps = 1e5;            // each rounds by some 4e-16
constexpr double kMostQueueOperations = 4e8;  // states x steps
constexpr double kStepsBetween = 64;          // of kept states
constexpr double kMostKept = 2048;

/// Rates of the chain on the clock of the work.
struct Rates {
  double up, down, die;
  double all() const { return up + down + die; }
};

Rates rates_of(const BackgroundLaw& law, double rate, std::size_t jobs) {
  const auto n = static_cast<double>(jobs);
  const bool shared = law.departures == BackgroundLaw::Departures::kShared;
  return {(n + 1) * law.arrival, jobs > 0 ? (shared ? n : n + 1) * law.service : 0, (n + 1) * rate};
}

/// The most jobs that matter: P(the chain ever has one more) is below kCutOff. From f_n, the probability to get from n
/// to n + 1 before it dies: f_n = up / (up + die + down (1 - f_{n-1})).
std::optional<std::size_t> most_jobs(const BackgroundLaw& law, double rate) {
  const auto initial = static_cast<std::size_t>(law.initial);
  double reach = 1;
  double above = 0;  // f_{n-1}
  for (std::size_t n = 0; static_cast<double>(n) < kMostStates; ++n) {
    const Rates rates = rates_of(law, rate, n);
    above = rates.up / (rates.up + rates.die + rates.down * (1 - above));
    if (n >= initial) reach *= above;
    if (n >= initial && reach < kCutOff) return n;
  }
  return std::nullopt;
}

}  // namespace

std::optional<KilledQueue> KilledQueue::make(const BackgroundLaw& law, double rate, double limit) {
  if (static_cast<double>(law.initial) >= kMostStates) return std::nullopt;
  const auto most = most_jobs(law, rate);
  if (!most) return std::nullopt;
  KilledQueue queue;
  queue.initial_ = static_cast<std::size_t>(law.initial);
  for (std::size_t n = 0; n <= *most; ++n) queue.pace_ = std::max(queue.pace_, rates_of(law, rate, n).all());
  const double steps = queue.pace_ * limit;
  if (!(steps <= kMostSteps) || steps * static_cast<double>(*most + 1) > kMostQueueOperations) return std::nullopt;
  for (std::size_t n = 0; n <= *most; ++n) {
    const Rates rates = rates_of(law, rate, n);
    queue.up_.push_back(n < *most ? rates.up / queue.pace_ : 0);
    queue.down_.push_back(rates.down / queue.pace_);
    queue.stay_.push_back(std::max(0.0, queue.pace_ - rates.all()) / queue.pace_);
  }
  const double intervals = std::clamp(std::ceil(steps / kStepsBetween), 1.0, kMostKept);
  queue.step_ = limit / intervals;
  queue.kept_.push_back(State(*most + 1, 1.0));
  while (static_cast<double>(queue.kept_.size()) <= intervals)
    queue.kept_.push_back(queue.after(queue.kept_.back(), queue.step_));
  return queue;
}

double KilledQueue::survival(double work) const {
  if (!(work > 0)) return 1;
  if (!(step_ > 0)) return kept_.front()[initial_];
  const double place = std::floor(work / step_);
  if (place >= static_cast<double>(kept_.size() - 1)) return kept_.back()[initial_];
  const auto before = static_cast<std::size_t>(place);
  const double rest = work - place * step_;
  return rest > 0 ? after(kept_[before], rest)[initial_] : kept_[before][initial_];
}

KilledQueue::State KilledQueue::stepped(const State& state) const {
  State next(state.size());
  for (std::size_t n = 0; n < state.size(); ++n) {
    next[n] = stay_[n] * state[n];
    if (n > 0) next[n] += down_[n] * state[n - 1];
    if (n + 1 < state.size()) next[n] += up_[n] * state[n + 1];
  }
  return next;
}

/// Sum over k of Poisson(k; pace x work) times the state after k steps, until hardly anything is missing.
KilledQueue::State KilledQueue::after(const State& state, double work) const {
  constexpr double kTail = 1e-17;
  const double mean = pace_ * work;
  double weight = std::exp(-mean);
  State sum(state.size());
  State current = state;
  for (double k = 0;; ++k) {
    for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += weight * current[n];
    weight *= mean / (k + 1);
    if (k > mean && weight < kTail) return sum;
    current = stepped(current);
  }
}

}  // namespace coterie
