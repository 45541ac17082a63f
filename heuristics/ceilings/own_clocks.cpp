#include "heuristics/ceilings/own_clocks.hpp"

#include <algorithm>

#include "core/cancellation.hpp"
#include "core/errors.hpp"

namespace coterie::heuristics {
namespace {

class OwnClocks {
 public:
  explicit OwnClocks(const ListeningProblem& problem)
      : width_(problem.work_steps() + 1), startup_(problem.startup_steps()) {
    double states = static_cast<double>(width_);
    for (std::size_t worker = 0; worker < problem.risks.size(); ++worker) {
      survival_.push_back(problem.survival(worker));
      states *= static_cast<double>(survival_.back().size() + 1);
      if (states > static_cast<double>(ListeningProblem::kMostStates))
        throw InputError("own clocks: too many states; use a longer step or fewer workers");
    }
  }

  /// With all alive and all work left, in steps.
  double optimum() {
    const std::size_t all = (std::size_t{1} << survival_.size()) - 1;
    values_.resize(all + 1);
    values_[0].assign(width_, 0.0);
    for (std::size_t alive = 1; alive <= all; ++alive) fill(alive);
    return values_[all][width_ - 1];
  }

 private:
  bool has(std::size_t alive, std::size_t worker) const { return (alive >> worker & 1) != 0; }

  /// Where the values begin for workers alive at these times.
  std::size_t place(std::size_t alive, const std::vector<std::size_t>& times) const {
    std::size_t at = 0;
    for (std::size_t j = 0; j < survival_.size(); ++j)
      if (has(alive, j)) at = at * survival_[j].size() + times[j];
    return at * width_;
  }

  /// All states of these workers alive, from late to early times.
  void fill(std::size_t alive) {
    std::vector<std::size_t> times(survival_.size(), 0);
    for (std::size_t j = 0; j < times.size(); ++j)
      if (has(alive, j)) times[j] = survival_[j].size() - 1;
    values_[alive].assign(place(alive, times) + width_, 0.0);
    for (;;) {
      cancellation_point();
      decide(alive, times);
      std::size_t j = times.size();
      while (j-- > 0) {
        if (!has(alive, j)) continue;
        if (times[j] > 0) break;
        times[j] = survival_[j].size() - 1;
      }
      if (j >= times.size()) return;
      --times[j];
    }
  }

  void decide(std::size_t alive, std::vector<std::size_t>& times) {
    double* const at = values_[alive].data() + place(alive, times);
    for (std::size_t j = 0; j < times.size(); ++j) {
      if (!has(alive, j)) continue;
      const std::vector<double>& survival = survival_[j];
      const std::size_t others = alive & ~(std::size_t{1} << j);
      const double* const without = values_[others].data() + place(others, times);
      for (std::size_t left = 0; left < width_; ++left) at[left] = std::max(at[left], without[left]);
      const std::size_t now = times[j];
      if (!(survival[now] > 0)) continue;
      if (now + 1 < survival.size()) {
        times[j] = now + 1;
        const double* const waited = values_[alive].data() + place(alive, times);
        const double q = survival[now + 1] / survival[now];
        for (std::size_t left = 0; left < width_; ++left)
          at[left] = std::max(at[left], q * waited[left] + (1 - q) * without[left]);
      }
      for (std::size_t size = 1; size < width_ && now + size + startup_ < survival.size(); ++size) {
        times[j] = now + size + startup_;
        const double* const after = values_[alive].data() + place(alive, times);
        const double q = survival[times[j]] / survival[now];
        for (std::size_t left = size; left < width_; ++left)
          at[left] = std::max(at[left], q * (static_cast<double>(size) + after[left - size]) + (1 - q) * without[left]);
      }
      times[j] = now;
    }
  }

  std::size_t width_;                          // amounts of work left
  std::size_t startup_;                        // in steps
  std::vector<std::vector<double>> survival_;  // by worker and time
  std::vector<std::vector<double>> values_;    // by the set of those alive: times x work left
};

}  // namespace

double own_clocks_optimum(const ListeningProblem& problem) {
  problem.validate();
  return OwnClocks(problem).optimum() * problem.step;
}

}  // namespace coterie::heuristics
