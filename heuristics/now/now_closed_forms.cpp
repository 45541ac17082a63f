#include "heuristics/now/now_closed_forms.hpp"

#include <algorithm>

namespace coterie::heuristics {
namespace {

/// Equations  own_{k+1} x_{k+1} = passed_k x_k + sides_{k+1} - sides_k,  own_0 x_0 + spread sum x = sides_0.
template <class Number>
struct Chain {
  std::vector<Number> own;
  std::vector<Number> passed;
  Number spread{};

  void reverse() {
    std::reverse(own.begin(), own.end());
    std::reverse(passed.begin(), passed.end());
  }

  /// x = x_0 u + g: u and g by the recurrence from u_0 = 1 and g_0 = 0, then x_0 from the closing equation.
  std::vector<Number> solve(const std::vector<Number>& sides) const {
    const std::size_t size = own.size();
    std::vector<Number> u(size, Number(1));
    std::vector<Number> g(size, Number(0));
    Number sum_u = 1;
    Number sum_g = 0;
    for (std::size_t k = 0; k + 1 < size; ++k) {
      u[k + 1] = passed[k] * u[k] / own[k + 1];
      g[k + 1] = (passed[k] * g[k] + (sides[k + 1] - sides[k])) / own[k + 1];
      sum_u += u[k + 1];
      sum_g += g[k + 1];
    }
    const Number first = (sides[0] - spread * sum_g) / (own[0] + spread * sum_u);
    for (std::size_t k = 0; k < size; ++k) g[k] += first * u[k];
    return g;
  }
};

enum class Kind { kFifo, kLifo };

std::optional<Kind> kind_of(const NowOrders& orders) {
  if (orders.finish == orders.start) return Kind::kFifo;
  if (std::equal(orders.start.begin(), orders.start.end(), orders.finish.rbegin(), orders.finish.rend()))
    return Kind::kLifo;
  return std::nullopt;
}

template <class Number>
Chain<Number> chain_of(const Now<Number>& now, const std::vector<std::size_t>& start, Kind kind) {
  const Number out = now.packaging + now.transit;
  const Number back = now.transit * now.delta;
  Chain<Number> chain;
  for (const std::size_t i : start) {
    const NowWorker<Number>& worker = now.workers[i];
    const Number at_worker = worker.unpackaging + worker.packaging * now.delta + worker.work_time;
    chain.own.push_back(at_worker + out);
    if (kind == Kind::kLifo) chain.own.back() += back;
    chain.passed.push_back(at_worker);
    if (kind == Kind::kFifo) chain.passed.back() += back;
  }
  if (kind == Kind::kFifo) chain.spread = back;
  return chain;
}

/// Of the equations, in start-up order: everything set up, and every first packet, on the way to i and after i is back.
template <class Number>
std::vector<Number> overheads_of(const Now<Number>& now, const std::vector<std::size_t>& start, Kind kind) {
  const Number first_packet = now.latency - now.transit;
  std::vector<Number> overheads(start.size(), Number(0));
  Number before(0);
  for (std::size_t k = 0; k < start.size(); ++k) {
    before += first_packet + now.workers[start[k]].setup_to;
    overheads[k] += before;
  }
  Number after(0);
  for (std::size_t n = 0; n < start.size(); ++n) {
    const std::size_t k = kind == Kind::kLifo ? n : start.size() - 1 - n;
    after += first_packet + now.workers[start[k]].setup_from;
    overheads[k] += after;
  }
  return overheads;
}

}  // namespace

bool has_closed_form(const NowOrders& orders) { return kind_of(orders).has_value(); }

template <class Number>
std::optional<NowProtocol<Number>> now_closed_form(const Now<Number>& now, const NowOrders& orders) {
  require_valid(now, orders);
  const std::optional<Kind> kind = kind_of(orders);
  if (!kind) return std::nullopt;
  std::vector<std::size_t> order = orders.start;
  Chain<Number> chain = chain_of(now, order, *kind);
  std::vector<Number> overheads = overheads_of(now, order, *kind);
  if (const Number out = now.packaging + now.transit; *kind == Kind::kFifo && chain.spread > out) {
    chain.spread = out;
    std::swap(chain.own, chain.passed);
    chain.reverse();
    std::reverse(order.begin(), order.end());
    std::reverse(overheads.begin(), overheads.end());
  }
  const std::vector<Number> slopes = chain.solve(std::vector<Number>(order.size(), Number(1)));
  const std::vector<Number> offsets = chain.solve(overheads);
  NowProtocol<Number> result;
  result.slopes.resize(order.size());
  result.offsets.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.slopes[order[k]] = slopes[k];
    result.offsets[order[k]] = offsets[k];
  }
  result.add_totals(now);
  return result;
}

template <class Number>
NowProtocol<Number> any_now_protocol(const Now<Number>& now, const NowOrders& orders) {
  if (auto closed = now_closed_form(now, orders)) return *std::move(closed);
  return now_protocol(now, orders);
}

template NowProtocol<double> any_now_protocol(const Now<double>&, const NowOrders&);
template NowProtocol<Rational> any_now_protocol(const Now<Rational>&, const NowOrders&);
template std::optional<NowProtocol<double>> now_closed_form(const Now<double>&, const NowOrders&);
template std::optional<NowProtocol<Rational>> now_closed_form(const Now<Rational>&, const NowOrders&);

}  // namespace coterie::heuristics
