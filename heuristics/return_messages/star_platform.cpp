#include "heuristics/return_messages/star_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/errors.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kProportional = 1e-12;

bool is_time(const Rational& value) { return value >= 0; }
bool is_time(double value) { return std::isfinite(value) && value >= 0; }

bool same_product(const Rational& a, const Rational& b) { return a == b; }
bool same_product(double a, double b) { return std::abs(a - b) <= kProportional * std::max(a, b); }

}  // namespace

template <class Number>
ReturnRatio return_ratio(const StarPlatform<Number>& platform) {
  const auto reference = std::find_if(platform.begin(), platform.end(), [](const auto& worker) {
    return worker.send_time > 0 || worker.return_time > 0;
  });
  if (reference == platform.end()) return ReturnRatio::kOne;                   // no communication at all: any z fits
  const Number unit = std::max(reference->send_time, reference->return_time);  // so that no product underflows
  const Number send = reference->send_time / unit;
  const Number back = reference->return_time / unit;
  for (const auto& worker : platform)
    if (!same_product(Number(worker.return_time * send), Number(worker.send_time * back))) return ReturnRatio::kNone;
  if (same_product(reference->return_time, reference->send_time)) return ReturnRatio::kOne;
  return reference->return_time < reference->send_time ? ReturnRatio::kBelowOne : ReturnRatio::kAboveOne;
}

template <class Number>
void require_valid(const StarPlatform<Number>& platform) {
  if (platform.empty()) throw InputError("a platform needs at least one worker");
  for (std::size_t i = 0; i < platform.size(); ++i) {
    const auto& worker = platform[i];
    if (!is_time(worker.send_time) || !is_time(worker.compute_time) || !is_time(worker.return_time))
      throw InputError(fmt::format("worker {}: times must be finite and zero or more", i + 1));
    if (worker.send_time == 0 && worker.compute_time == 0 && worker.return_time == 0)
      throw InputError(
          fmt::format("worker {}: one of its times must be positive (its throughput would be infinite)", i + 1));
  }
}

void require_valid(const Scenario& scenario, std::size_t workers) {
  if (scenario.send_order.empty()) throw InputError("the send order must name at least one worker");
  for (const auto* order : {&scenario.send_order, &scenario.return_order}) {
    std::set<std::size_t> seen;
    for (const std::size_t worker : *order) {
      if (worker >= workers)
        throw InputError(fmt::format("the orders name worker {}, but there are {}", worker + 1, workers));
      if (!seen.insert(worker).second) throw InputError(fmt::format("an order names worker {} twice", worker + 1));
    }
  }
  std::vector<std::size_t> sent = scenario.send_order;
  std::vector<std::size_t> returned = scenario.return_order;
  std::sort(sent.begin(), sent.end());
  std::sort(returned.begin(), returned.end());
  if (sent != returned) throw InputError("the send and return orders must name the same workers");
}

template <class Number>
StarPlatform<Number> reversed_in_time(StarPlatform<Number> platform) {
  for (auto& worker : platform) std::swap(worker.send_time, worker.return_time);
  return platform;
}

Scenario reversed_in_time(const Scenario& scenario) {
  return {{scenario.return_order.rbegin(), scenario.return_order.rend()},
          {scenario.send_order.rbegin(), scenario.send_order.rend()}};
}

StarPlatform<double> to_doubles(const StarPlatform<Rational>& platform) {
  StarPlatform<double> result;
  result.reserve(platform.size());
  for (const auto& worker : platform)
    result.push_back({to_double(worker.send_time), to_double(worker.compute_time), to_double(worker.return_time)});
  return result;
}

template <class Number>
Scenario without_idle_workers(const Scenario& scenario, const std::vector<Number>& shares) {
  const auto idle = [&](std::size_t worker) { return shares[worker] == 0; };
  Scenario result = scenario;
  std::erase_if(result.send_order, idle);
  std::erase_if(result.return_order, idle);
  return result;
}

template ReturnRatio return_ratio(const StarPlatform<double>&);
template ReturnRatio return_ratio(const StarPlatform<Rational>&);
template void require_valid(const StarPlatform<double>&);
template void require_valid(const StarPlatform<Rational>&);
template StarPlatform<double> reversed_in_time(StarPlatform<double>);
template StarPlatform<Rational> reversed_in_time(StarPlatform<Rational>);
template Scenario without_idle_workers(const Scenario&, const std::vector<double>&);
template Scenario without_idle_workers(const Scenario&, const std::vector<Rational>&);

}  // namespace coterie::heuristics
