#include "heuristics/heterogeneous/loss_allocation.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

using Real = long double;

/// How far below 1 the condition of an idle worker may fall before it becomes active again; smaller gaps are rounding.
constexpr double kSlack = 1e-13;
constexpr int kBlockTries = 8;
constexpr std::size_t kMostSteps = 1000;  ///< and one a worker: some ten are usual, more only where rounding cycles

/// The linear complementarity problem 2Q x >= 1, x >= 0, one of both an equality for each worker.
class LossProblem {
 public:
  explicit LossProblem(Platform platform)
      : size_(platform.size()), rate_(size_), ratio_(size_), noise_(size_), active_(size_, 1), x_(size_) {
    Real greatest = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      rate_[i] = platform[i].risk_rate;
      greatest = std::max(greatest, Real(platform[i].receive()) / rate_[i]);
      ratio_[i] = greatest;  // order keys that tie may differ in their last digits
      noise_[i] = (Real(platform[i].receive()) + 2 * Real(platform[i].compute())) / rate_[i];
    }
    evidence_.resize(size_);
    information_.resize(size_);
    later_.resize(size_);
  }

  void solve() {
    std::size_t fewest = size_ + 1;
    int tries = kBlockTries;
    for (std::size_t step = 0; step < kMostSteps + size_; ++step) {
      cancellation_point();
      solve_active();
      const std::vector<std::size_t> wrong = violations();
      if (wrong.empty()) return;
      if (wrong.size() < fewest) {
        fewest = wrong.size();
        tries = kBlockTries;
      } else {
        --tries;
      }
      // One at a time, always the last, cannot cycle [Murty 1974]; all at once is fast.
      const std::size_t first = tries >= 0 ? 0 : wrong.size() - 1;
      for (std::size_t k = first; k < wrong.size(); ++k) active_[wrong[k]] = !active_[wrong[k]];
    }
    throw InputError(
        "the workers' speeds, bandwidths and risks differ by too many orders of magnitude: rounding hides which of "
        "them should work; leave out those that cannot matter");
  }

  Allocation allocation() const {
    Real sum = 0;
    for (const Real x : x_) sum += x;
    Allocation result;
    for (const Real x : x_) result.shares.push_back(static_cast<double>(x / sum));
    result.loss_factor = static_cast<double>(1 / (2 * sum));
    return result;
  }

  /// x_i^2 / ((2Q_SS)^-1)_ii: by how much sum x falls where worker i is left out and the others keep their signs.
  std::vector<double> price_of_leaving() const {
    std::vector<double> price(size_, 0);
    Real variance = 0;
    Real before = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!active_[i]) continue;
      variance += ratio_[i] - before;
      before = ratio_[i];
      const Real others = variance / (1 + variance * later_[i]);
      price[i] = static_cast<double>(x_[i] * x_[i] * rate_[i] * rate_[i] * (noise_[i] + others));
      variance = variance * noise_[i] / (variance + noise_[i]);
    }
    return price;
  }

  void activate(const std::vector<double>& shares) {
    for (std::size_t i = 0; i < size_; ++i) active_[i] = shares[i] > 0;
    solve_active();
  }

 private:
  /// 2Q_SS x = 1 for the active workers S: the mean of a random walk y seen through noise. Backward: what worker i
  /// and those after it tell about y at the active worker before (information, evidence), and what those after it
  /// tell about y at i (later); forward: y.
  void solve_active() {
    members_.clear();
    for (std::size_t i = 0; i < size_; ++i) {
      x_[i] = 0;
      if (active_[i]) members_.push_back(i);
    }
    Real information = 0;
    Real evidence = 0;
    for (std::size_t k = members_.size(); k-- > 0;) {
      const std::size_t i = members_[k];
      later_[i] = information;
      const Real precision = 1 / noise_[i] + information;
      const Real weight = 1 / (rate_[i] * noise_[i]) + evidence;
      const Real shrink = 1 + precision * step(k);
      evidence_[i] = evidence = weight / shrink;
      information_[i] = information = precision / shrink;
    }
    Real y = 0;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::size_t i = members_[k];
      y += step(k) * (evidence_[i] - information_[i] * y);
      x_[i] = (1 / rate_[i] - y) / (noise_[i] * rate_[i]);
    }
  }

  Real step(std::size_t k) const { return ratio_[members_[k]] - (k > 0 ? ratio_[members_[k - 1]] : 0); }

  /// Workers whose sign is wrong: active with x <= 0, or idle although work for them would pay.
  std::vector<std::size_t> violations() const {
    Real later = 0;
    for (std::size_t i = 0; i < size_; ++i) later += rate_[i] * x_[i];
    std::vector<std::size_t> wrong;
    Real earlier = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      later -= rate_[i] * x_[i];
      earlier += rate_[i] * ratio_[i] * x_[i];
      const bool bad = active_[i] ? x_[i] <= 0 : rate_[i] * (earlier + ratio_[i] * later) < 1 - kSlack;
      if (bad) wrong.push_back(i);
    }
    return wrong;
  }

  std::size_t size_;
  std::vector<Real> rate_, ratio_, noise_;
  std::vector<char> active_;
  std::vector<Real> x_, information_, evidence_, later_;
  std::vector<std::size_t> members_;
};

}  // namespace

Allocation optimal_allocation(Platform platform) {
  LossProblem problem(platform);
  problem.solve();
  return problem.allocation();
}

std::vector<double> loss_factors_without(Platform platform, const Allocation& allocation) {
  LossProblem problem(platform);
  problem.activate(allocation.shares);
  std::vector<double> factors = problem.price_of_leaving();
  const double sum = 1 / (2 * allocation.loss_factor);
  for (double& factor : factors) {
    const double rest = sum - factor;
    factor = rest > 0 ? 1 / (2 * rest) : kInfinity;
  }
  return factors;
}

}  // namespace coterie::heuristics
