#include "heuristics/heterogeneous/linear_platform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace coterie::heuristics {
namespace {

/// c / kappa = 1 / (kappa bw), rounded to 44 binary digits so that equal products stay equal. It may be beyond a
/// double.
long double order_key(const LinearWorker& worker) {
  int exponent = 0;
  const long double mantissa = std::frexp(static_cast<long double>(worker.receive()) / worker.risk_rate, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 44)), exponent - 44);
}

}  // namespace

std::vector<double> finish_times(Platform platform, std::span<const double> shares) {
  std::vector<double> times(platform.size());
  long double sent = 0;
  for (std::size_t i = 0; i < platform.size(); ++i) {
    sent += static_cast<long double>(shares[i]) * platform[i].receive();
    times[i] = static_cast<double>(sent + static_cast<long double>(shares[i]) * platform[i].compute());
  }
  return times;
}

double expected_work(Platform platform, std::span<const double> shares) {
  const std::vector<double> times = finish_times(platform, shares);
  long double sum = 0;
  for (std::size_t i = 0; i < platform.size(); ++i)
    if (shares[i] > 0) sum += shares[i] * std::max(0.0, 1 - platform[i].risk_rate * times[i]);
  return static_cast<double>(sum);
}

double expected_loss(Platform platform, std::span<const double> shares) {
  const std::vector<double> times = finish_times(platform, shares);
  long double sum = 0;
  for (std::size_t i = 0; i < platform.size(); ++i) sum += shares[i] * platform[i].risk_rate * times[i];
  return static_cast<double>(sum);
}

std::vector<std::size_t> descending(Platform workers, double LinearWorker::*property) {
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return workers[a].*property > workers[b].*property; });
  return order;
}

std::vector<std::size_t> best_order(Platform workers) {
  std::vector<long double> keys(workers.size());
  std::transform(workers.begin(), workers.end(), keys.begin(), order_key);
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

bool in_best_order(Platform platform) {
  return std::is_sorted(platform.begin(), platform.end(),
                        [](const auto& a, const auto& b) { return order_key(a) < order_key(b); });
}

}  // namespace coterie::heuristics
