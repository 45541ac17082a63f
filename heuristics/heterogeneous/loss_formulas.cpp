#include "heuristics/heterogeneous/loss_formulas.hpp"

#include <algorithm>
#include <cmath>

namespace coterie::heuristics {
namespace {

Allocation proportional(std::vector<double> weights, double loss_factor) {
  long double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight = static_cast<double>(weight / sum);
  return {std::move(weights), loss_factor};
}

/// Shares from the part Y_i that the first i - 1 of i workers get: alpha_i = (1 - Y_i) Y_{i+1} ... Y_p.
std::vector<double> unroll(const std::vector<double>& kept, const std::vector<double>& taken) {
  std::vector<double> shares(kept.size());
  double rest = 1;
  for (std::size_t i = kept.size(); i-- > 0;) {
    shares[i] = taken[i] * rest;
    rest *= kept[i];
  }
  return shares;
}

}  // namespace

Allocation free_communication(Platform platform) {
  std::vector<double> weights;
  long double sum = 0;
  for (const LinearWorker& worker : platform) {
    weights.push_back(worker.speed / worker.risk_rate);
    sum += weights.back();
  }
  return proportional(std::move(weights), static_cast<double>(1 / sum));
}

Allocation identical_workers(Platform platform) {
  const auto p = static_cast<double>(platform.size());
  const LinearWorker& worker = platform.front();
  const double loss = worker.risk_rate * ((p + 1) * worker.receive() + 2 * worker.compute()) / (2 * p);
  return {std::vector<double>(platform.size(), 1 / p), loss};
}

Allocation different_speeds(Platform platform) {
  const double half = platform.front().risk_rate * platform.front().receive() / 2;
  std::vector<double> weights;
  long double sum = 0;
  for (const LinearWorker& worker : platform) {
    weights.push_back(1 / (worker.risk_rate * worker.compute() + half));
    sum += weights.back();
  }
  return proportional(std::move(weights), static_cast<double>(half + 1 / sum));
}

Allocation different_bandwidths(Platform platform) {
  const double twice_d = 2 * platform.front().compute();
  const double kappa = platform.front().risk_rate;
  const std::size_t p = platform.size();
  // The u_i may grow beyond a double for many workers: they are kept relative to the sum so far.
  std::vector<long double> u(p, 1);
  long double after = 0;  // R_i, the sum of the u behind i
  for (std::size_t i = p - 1; i-- > 0;) {
    const long double c = platform[i].receive();
    const long double next = platform[i + 1].receive();
    u[i] = (u[i + 1] * (next + (next - c) + twice_d) + (next - c) * after) / (c + twice_d);
    after += u[i + 1];
    if (after > 1e300L) {
      for (std::size_t j = i; j < p; ++j) u[j] /= 1e300L;
      after /= 1e300L;
    }
  }
  long double sum = 0;
  for (const long double value : u) sum += value;
  Allocation result;
  long double loss = 0;
  for (std::size_t i = 0; i < p; ++i) {
    const long double share = u[i] / sum;
    result.shares.push_back(static_cast<double>(share));
    loss += share * (i + 1 < p ? platform[i].receive() / 2.0L : (2.0L * platform[i].receive() + twice_d) / 2);
  }
  result.loss_factor = static_cast<double>(kappa * loss);
  return result;
}

/// With f_i = G_i + q_i/2 (q = 1/bw_eq), h = c_i + d, k = h - q_{i-1}/2:
///   Y_i = k / (G_{i-1} + k),  G_i = G_{i-1} (h - c_i/2) / (G_{i-1} + k),  q_i = Y_i q_{i-1} + (1 - Y_i) c_i
/// is the printed recurrence a_i / b_i without its growing numbers.
Allocation printed_different_bandwidths(Platform platform) {
  const double d = platform.front().compute();
  const double kappa = platform.front().risk_rate;
  double q = platform.front().receive();
  double g = q / 2 + d;
  std::vector<double> kept = {1};
  std::vector<double> taken = {1};
  for (std::size_t i = 1; i < platform.size(); ++i) {
    const double c = platform[i].receive();
    const double k = c + d - q / 2;
    kept.push_back(k / (g + k));
    taken.push_back(g / (g + k));
    g *= (c / 2 + d) / (g + k);
    q = kept.back() * q + taken.back() * c;
  }
  return {unroll(kept, taken), kappa * (g + q / 2)};
}

Allocation different_risks(Platform platform) {
  const double c = platform.front().receive();
  const double h = c / 2 + platform.front().compute();
  double g = platform.front().risk_rate * h;
  std::vector<double> kept = {1};
  std::vector<double> taken = {1};
  for (std::size_t i = 1; i < platform.size(); ++i) {
    const double own = platform[i].risk_rate * h;
    const double others = g + (platform[i - 1].risk_rate - platform[i].risk_rate) * c / 2;
    kept.push_back(own / (others + own));
    taken.push_back(others / (others + own));
    g = others * own / (others + own);
  }
  return {unroll(kept, taken), g + platform.back().risk_rate * c / 2};
}

Allocation two_workers_in_order(Platform platform) {
  const LinearWorker& first = platform[0];
  const LinearWorker& second = platform[1];
  const double wait = second.risk_rate * first.receive();
  const double alpha = first.alone() + second.alone() - wait;
  const double beta = 2 * second.alone() - wait;
  const double noise = 1e-14 * (first.alone() + second.alone() + wait);
  double share = 0;
  if (std::abs(alpha) <= noise) {
    share = beta > noise ? 1 : 0;
  } else if (alpha > 0) {
    share = beta <= noise ? 0 : std::min(1.0, beta / (2 * alpha));
  } else if (beta >= 0) {
    share = 1;
  } else {
    // E has its minimum in between or on the right: one end is best.
    share = beta > 2 * alpha && first.alone() <= second.alone() ? 1 : 0;
  }
  const std::vector<double> shares = {share, 1 - share};
  return {shares, expected_loss(platform, shares)};
}

}  // namespace coterie::heuristics
