#include "heuristics/now/now_network.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"
#include "heuristics/now/now_closed_forms.hpp"

namespace coterie::heuristics {
namespace {

double rounded_up(double value) { return std::ceil(value); }

Rational rounded_up(const Rational& value) {
  const boost::multiprecision::cpp_int whole = numerator(value) / denominator(value);  // times are not negative
  return Rational(whole) == value ? Rational(whole) : Rational(whole + 1);
}

/// The first workstations of the start-up order, in the same orders.
template <class Number>
void keep_first(std::size_t count, const Now<Number>& all, const NowOrders& orders, Now<Number>& now, NowOrders& kept) {
  std::vector<std::size_t> place(all.workers.size(), count);
  now.workers.clear();
  kept = {};
  for (std::size_t k = 0; k < count; ++k) {
    place[orders.start[k]] = k;
    now.workers.push_back(all.workers[orders.start[k]]);
    kept.start.push_back(k);
  }
  for (const std::size_t worker : orders.finish)
    if (place[worker] < count) kept.finish.push_back(place[worker]);
}

}  // namespace

template <class Number>
Number paced_transit(const Number& latency, const Number& transit, std::size_t capacity) {
  const Number spaced = latency / Number(capacity);
  return spaced > transit ? spaced : transit;
}

template <class Number>
std::optional<Number> packets_in_transit(const Number& latency, const Number& transit) {
  if (transit == 0) return std::nullopt;
  const Number packets = rounded_up(Number(latency / transit));
  return packets < 1 ? Number(1) : packets;
}

template <class Number>
double greatest_work(const NowProtocol<Number>& protocol, const Number& lifespan) {
  const Number left = lifespan - protocol.message_overhead;
  if (left <= 0) return 0;
  if (protocol.message_rate == 0) return kInfinity;
  return static_cast<double>(Number(left / protocol.message_rate));
}

template <class Number>
std::optional<std::size_t> workers_fed(const Now<Number>& now, const NowOrders& orders, const Number& lifespan,
                                       std::size_t most) {
  Now<Number> some = now;
  NowOrders kept;
  for (std::size_t count = std::min(most, now.workers.size()); count > 0; --count) {
    cancellation_point();
    keep_first(count, now, orders, some, kept);
    if (any_now_protocol(some, kept).fits(lifespan)) return count;
  }
  return std::nullopt;
}

template double paced_transit(const double&, const double&, std::size_t);
template Rational paced_transit(const Rational&, const Rational&, std::size_t);
template std::optional<double> packets_in_transit(const double&, const double&);
template std::optional<Rational> packets_in_transit(const Rational&, const Rational&);
template std::optional<std::size_t> workers_fed(const Now<double>&, const NowOrders&, const double&, std::size_t);
template std::optional<std::size_t> workers_fed(const Now<Rational>&, const NowOrders&, const Rational&, std::size_t);
template double greatest_work(const NowProtocol<double>&, const double&);
template double greatest_work(const NowProtocol<Rational>&, const Rational&);

}  // namespace coterie::heuristics
