#include "heuristics/chunks/finish_time_newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"

namespace coterie::heuristics {
namespace {

constexpr int kMostNewtonSteps = 100;
constexpr int kMostHalvings = 40;

class FinishTimes {
 public:
  FinishTimes(std::vector<double> times, double work, double startup, const Risk& risk)
      : times_(std::move(times)), startup_(startup), risk_(risk) {
    latest_ = work + static_cast<double>(times_.size()) * startup;
    bound_ = times_.back() >= latest_;
  }

  NewtonResult solve() {
    for (int step = 0; step < kMostNewtonSteps; ++step) {
      const std::vector<double> direction = newton_direction();
      const double moved = advance(direction);
      if (moved > 1e-11) continue;  // convergence is quadratic: what is left is rounding
      // At rest. Held at the end of the workload although going back would gain: let go.
      if (bound_ && gradient(times_.size() - 1) < -1e-12) {
        bound_ = false;
        continue;
      }
      break;
    }
    return {times_, at_rest()};
  }

 private:
  double size(const std::vector<double>& times, std::size_t i) const {
    return times[i] - (i == 0 ? 0 : times[i - 1]) - startup_;
  }
  double gradient(std::size_t i) const {
    const double next = i + 1 < times_.size() ? risk_.survival(times_[i + 1]) : 0;
    return risk_.survival(times_[i]) - next - size(times_, i) * risk_.density(times_[i]);
  }
  std::size_t free_times() const { return times_.size() - (bound_ ? 1 : 0); }

  /// Newton step with the tridiagonal -H; a pivot that is not positive (no maximum nearby) is replaced.
  std::vector<double> newton_direction() const {
    const std::size_t n = free_times();
    std::vector<double> pivot(n), coupling(n), right(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double t = times_[i];
      const double h = 1e-5 * t;
      const double slope = (risk_.density(t + h) - risk_.density(t - h)) / (2 * h);
      const double density = risk_.density(t);
      const double diagonal = 2 * density + size(times_, i) * slope;
      pivot[i] = diagonal;
      right[i] = gradient(i);
      if (i > 0) {
        coupling[i] = -density / pivot[i - 1];
        pivot[i] -= coupling[i] * -density;
        right[i] -= coupling[i] * right[i - 1];
      }
      if (!(pivot[i] > 1e-12 * density)) pivot[i] = std::max(std::abs(diagonal), 1e-300);
    }
    for (std::size_t i = n; i-- > 0;) {
      right[i] /= pivot[i];
      if (i + 1 < n) right[i] -= coupling[i + 1] * right[i + 1];
    }
    return right;
  }

  /// Goes along the direction as far as E does not fall; returns the greatest relative move.
  double advance(const std::vector<double>& direction) {
    const double before = value(times_);
    double part = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, part /= 2) {
      std::vector<double> next = times_;
      for (std::size_t i = 0; i < direction.size(); ++i) next[i] += part * direction[i];
      const bool reaches_the_end = next.back() >= latest_;
      if (reaches_the_end) next.back() = latest_;
      bool valid = true;
      for (std::size_t i = 0; i < next.size() && valid; ++i) valid = size(next, i) > 0;
      if (!valid || !(value(next) >= before * (1 - 1e-13))) continue;
      double moved = 0;
      for (std::size_t i = 0; i < next.size(); ++i)
        moved = std::max(moved, std::abs(next[i] - times_[i]) / std::max(times_[i], 1e-300));
      times_ = std::move(next);
      bound_ = reaches_the_end;
      return moved;
    }
    return 0;
  }

  double value(const std::vector<double>& times) const {
    cancellation_point();
    double sum = 0;
    for (std::size_t i = 0; i < times.size(); ++i) sum += size(times, i) * risk_.survival(times[i]);
    return sum;
  }

  bool at_rest() const {
    for (std::size_t i = 0; i < free_times(); ++i)
      if (!(std::abs(gradient(i)) < 1e-9)) return false;
    return true;
  }

  std::vector<double> times_;
  double startup_;
  double latest_ = 0;
  bool bound_ = false;
  const Risk& risk_;
};

}  // namespace

NewtonResult polish_finish_times(std::vector<double> start, double work, double startup, const Risk& risk) {
  if (start.empty()) return {};
  return FinishTimes(std::move(start), work, startup, risk).solve();
}

}  // namespace coterie::heuristics
