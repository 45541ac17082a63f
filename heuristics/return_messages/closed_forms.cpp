#include "heuristics/return_messages/closed_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

/// Workers by non-decreasing key, equal ones in the order of the platform.
template <class Number, class Key>
std::vector<std::size_t> sorted_by(const StarPlatform<Number>& platform, Key key) {
  std::vector<std::pair<Number, std::size_t>> keys;
  keys.reserve(platform.size());
  for (std::size_t i = 0; i < platform.size(); ++i) keys.emplace_back(key(platform[i]), i);
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  order.reserve(platform.size());
  for (const auto& [value, worker] : keys) order.push_back(worker);
  return order;
}

/// The shares u_i of a FIFO order before division by 1 + sum d_i u_i, and their sums. For doubles all of it is kept in
/// range by a common factor: where d > c for long, u grows without bound.
template <class Number>
struct FifoWalk {
  std::vector<Number> u;
  Number unit = 1;         // what stands for the 1 of 1 + sum d u
  Number work = 0;         // sum u
  Number return_load = 0;  // sum d u
  Number send_load = 0;    // sum c u
  Number next_inflow = 1;  // (d_q + w_q) u_q of the last worker; 1 before the first

  Number next(const StarWorker<Number>& worker) const { return next_inflow / (worker.send_time + worker.compute_time); }

  void add(const StarWorker<Number>& worker) {
    const Number value = next(worker);
    u.push_back(value);
    work += value;
    return_load += worker.return_time * value;
    send_load += worker.send_time * value;
    next_inflow = (worker.return_time + worker.compute_time) * value;
    keep_in_range();
  }

  void keep_in_range();
};

template <>
void FifoWalk<Rational>::keep_in_range() {}

template <>
void FifoWalk<double>::keep_in_range() {
  constexpr double kLarge = 0x1p400;
  const auto greatest = [&] { return std::max({work, return_load, send_load, next_inflow}); };
  while (greatest() >= kLarge && greatest() < kInfinity) {
    for (double* value : {&unit, &work, &return_load, &send_load, &next_inflow}) *value /= kLarge;
    for (double& value : u) value /= kLarge;
  }
}

template <class Number>
StarSharing<Number> fifo_sharing(std::vector<std::size_t> order, std::vector<Number> values, const Number& divisor,
                                 std::size_t workers) {
  StarSharing<Number> result;
  result.shares.assign(workers, Number(0));
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.shares[order[k]] = values[k] / divisor;
    result.throughput += result.shares[order[k]];
  }
  result.scenario.send_order = order;
  result.scenario.return_order = std::move(order);
  return result;
}

/// d = z c with z <= 1.
template <class Number>
StarSharing<Number> optimal_fifo_with_short_returns(const StarPlatform<Number>& platform, Ports ports) {
  std::vector<std::size_t> order = order_by_send_time(platform);
  FifoWalk<Number> walk;
  std::size_t enrolled = 0;
  for (; enrolled < order.size(); ++enrolled) {
    const StarWorker<Number>& worker = platform[order[enrolled]];
    if (enrolled > 0 && walk.work * worker.return_time >= walk.unit + walk.return_load) break;
    const Number overfill = walk.send_load + worker.send_time * walk.next(worker);
    if (ports == Ports::kOne && overfill > walk.unit) {
      // Share y of the last worker, s = (1 - d y) / (1 + D) the factor of the others: s (C + D) + (c + d) y = 1.
      const Number room = walk.unit - walk.send_load;
      const Number total = walk.unit + walk.return_load;
      const Number y = room / (total * worker.send_time + room * worker.return_time);
      if (y > 0) {
        const Number s = (Number(1) - worker.return_time * y) / total;
        walk.u.push_back(y / s);
        order.resize(enrolled + 1);
        return fifo_sharing(order, walk.u, Number(1 / s), platform.size());
      }
      break;
    }
    walk.add(worker);
  }
  order.resize(enrolled);
  return fifo_sharing(order, walk.u, Number(walk.unit + walk.return_load), platform.size());
}

}  // namespace

template <class Number>
std::vector<std::size_t> order_by_send_time(const StarPlatform<Number>& platform) {
  return sorted_by(platform, [](const StarWorker<Number>& worker) { return worker.send_time; });
}

template <class Number>
std::vector<std::size_t> order_by_compute_time(const StarPlatform<Number>& platform) {
  return sorted_by(platform, [](const StarWorker<Number>& worker) { return worker.compute_time; });
}

template <class Number>
std::vector<std::size_t> order_by_communication(const StarPlatform<Number>& platform) {
  return sorted_by(platform,
                   [](const StarWorker<Number>& worker) -> Number { return worker.send_time + worker.return_time; });
}

template <class Number>
StarSharing<Number> optimal_lifo(const StarPlatform<Number>& platform) {
  require_valid(platform);
  StarSharing<Number> result;
  result.shares.assign(platform.size(), Number(0));
  result.scenario.send_order = order_by_communication(platform);
  result.scenario.return_order.assign(result.scenario.send_order.rbegin(), result.scenario.send_order.rend());
  Number left(1);  // w_i a_i of the worker before: the time between its two messages
  for (const std::size_t i : result.scenario.send_order) {
    const auto& worker = platform[i];
    result.shares[i] = left / (worker.send_time + worker.compute_time + worker.return_time);
    result.throughput += result.shares[i];
    left = worker.compute_time * result.shares[i];
  }
  return result;
}

template <class Number>
StarSharing<Number> optimal_fifo(const StarPlatform<Number>& platform, Ports ports) {
  require_valid(platform);
  switch (return_ratio(platform)) {
    case ReturnRatio::kNone:
      throw InputError("the closed form of the optimal FIFO needs return times proportional to send times");
    case ReturnRatio::kBelowOne:
    case ReturnRatio::kOne:
      return optimal_fifo_with_short_returns(platform, ports);
    case ReturnRatio::kAboveOne:
      break;
  }
  StarSharing<Number> result = optimal_fifo_with_short_returns(reversed_in_time(platform), ports);
  result.scenario = reversed_in_time(result.scenario);
  return result;
}

template <class Number>
StarSharing<Number> fifo_with_everyone(const StarPlatform<Number>& platform, const std::vector<std::size_t>& order,
                                       Ports ports) {
  require_valid(platform);
  require_valid(Scenario{order, order}, platform.size());
  FifoWalk<Number> walk;
  for (const std::size_t i : order) {
    if (platform[i].send_time == 0 && platform[i].compute_time == 0)
      throw InputError(fmt::format(
          "worker {}: send and compute times are both zero; no FIFO without idle time can enrol it", i + 1));
    walk.add(platform[i]);
  }
  Number divisor = walk.unit + walk.return_load;
  if (ports == Ports::kOne) divisor = std::max(divisor, Number(walk.send_load + walk.return_load));
  return fifo_sharing(order, walk.u, divisor, platform.size());
}

template std::vector<std::size_t> order_by_send_time(const StarPlatform<double>&);
template std::vector<std::size_t> order_by_send_time(const StarPlatform<Rational>&);
template std::vector<std::size_t> order_by_compute_time(const StarPlatform<double>&);
template std::vector<std::size_t> order_by_compute_time(const StarPlatform<Rational>&);
template std::vector<std::size_t> order_by_communication(const StarPlatform<double>&);
template std::vector<std::size_t> order_by_communication(const StarPlatform<Rational>&);
template StarSharing<double> optimal_lifo(const StarPlatform<double>&);
template StarSharing<Rational> optimal_lifo(const StarPlatform<Rational>&);
template StarSharing<double> optimal_fifo(const StarPlatform<double>&, Ports);
template StarSharing<Rational> optimal_fifo(const StarPlatform<Rational>&, Ports);
template StarSharing<double> fifo_with_everyone(const StarPlatform<double>&, const std::vector<std::size_t>&, Ports);
template StarSharing<Rational> fifo_with_everyone(const StarPlatform<Rational>&, const std::vector<std::size_t>&,
                                                  Ports);

}  // namespace coterie::heuristics
