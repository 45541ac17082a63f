#include "heuristics/now/now_protocol.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "heuristics/now/now_sweeps.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kFewWorkers = 8;  // up to here elimination is as fast as sweeps

bool is_time(const Rational& value) { return value >= 0; }
bool is_time(double value) { return std::isfinite(value) && value >= 0; }

/// Row by row.
template <class Number>
struct System {
  std::vector<Number> matrix;
  std::vector<Number> overheads;  // right side: L - overhead
};

std::vector<std::size_t> places(const std::vector<std::size_t>& order, std::size_t workers, const char* name) {
  std::vector<std::size_t> place(workers, workers);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k] >= workers)
      throw InputError(fmt::format("the {} order names workstation {}, but there are {}", name, order[k] + 1, workers));
    if (place[order[k]] != workers)
      throw InputError(fmt::format("the {} order names workstation {} twice", name, order[k] + 1));
    place[order[k]] = k;
  }
  if (order.size() != workers)
    throw InputError(fmt::format("the {} order must name each of the {} workstations once", name, workers));
  return place;
}

template <class Number>
System<Number> system_of(const Now<Number>& now, const NowOrders& orders) {
  const std::size_t size = now.workers.size();
  const auto started = places(orders.start, size, "start");
  const auto finished = places(orders.finish, size, "finish");
  const Number first_packet = now.latency - now.transit;
  System<Number> system{std::vector<Number>(size * size, Number(0)), std::vector<Number>(size, Number(0))};
  for (std::size_t i = 0; i < size; ++i) {
    const NowWorker<Number>& worker = now.workers[i];
    system.matrix[i * size + i] = now.packaging + now.transit * (1 + now.delta) + worker.unpackaging +
                                  worker.packaging * now.delta + worker.work_time;
    Number& overhead = system.overheads[i];
    overhead = worker.setup_to + worker.setup_from + 2 * first_packet;
    for (std::size_t j = 0; j < size; ++j) {
      if (started[j] < started[i]) {
        system.matrix[i * size + j] += now.packaging + now.transit;
        overhead += first_packet + now.workers[j].setup_to;
      }
      if (finished[j] > finished[i]) {
        system.matrix[i * size + j] += now.transit * now.delta;
        overhead += first_packet + now.workers[j].setup_from;
      }
    }
  }
  return system;
}

void solve(const System<double>& system, std::vector<double>& slopes, std::vector<double>& offsets) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(system.overheads.size());
  Eigen::MatrixXd sides(size, 2);
  sides.col(0).setOnes();
  sides.col(1) = Eigen::Map<const Eigen::VectorXd>(system.overheads.data(), size);
  const Eigen::MatrixXd solution =
      Eigen::Map<const Matrix>(system.matrix.data(), size, size).partialPivLu().solve(sides);
  slopes.assign(solution.col(0).begin(), solution.col(0).end());
  offsets.assign(solution.col(1).begin(), solution.col(1).end());
}

/// Gauss-Jordan on [matrix | 1 | overheads]; the matrix is never singular.
void solve(const System<Rational>& system, std::vector<Rational>& slopes, std::vector<Rational>& offsets) {
  const std::size_t size = system.overheads.size();
  std::vector<std::vector<Rational>> rows(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto begin = system.matrix.begin() + static_cast<std::ptrdiff_t>(i * size);
    rows[i].assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    rows[i].push_back(1);
    rows[i].push_back(system.overheads[i]);
  }
  for (std::size_t column = 0; column < size; ++column) {
    cancellation_point();
    std::size_t row = column;
    while (row < size && rows[row][column] == 0) ++row;
    if (row == size) throw RuntimeError("the protocol's equations are singular");
    std::swap(rows[row], rows[column]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == column || rows[i][column] == 0) continue;
      const Rational factor = rows[i][column] / rows[column][column];
      for (std::size_t j = column; j < size + 2; ++j) rows[i][j] -= factor * rows[column][j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    slopes.push_back(rows[i][size] / rows[i][i]);
    offsets.push_back(rows[i][size + 1] / rows[i][i]);
  }
}

std::vector<std::size_t> ascending(std::size_t workers) {
  std::vector<std::size_t> order(workers);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

NowOrders now_fifo(std::size_t workers) { return {ascending(workers), ascending(workers)}; }

NowOrders now_lifo(std::size_t workers) {
  const std::vector<std::size_t> order = ascending(workers);
  return {order, {order.rbegin(), order.rend()}};
}

template <class Number>
std::vector<Number> NowProtocol<Number>::shares(const Number& lifespan) const {
  std::vector<Number> result;
  for (std::size_t i = 0; i < slopes.size(); ++i) result.push_back(slopes[i] * lifespan - offsets[i]);
  return result;
}

template <class Number>
bool NowProtocol<Number>::fits(const Number& lifespan) const {
  const Number most = std::is_same_v<Number, double> ? Number(1 + 1e-12) : Number(1);
  return feasible(lifespan) && port_load(lifespan) <= most;
}

template <class Number>
bool NowProtocol<Number>::feasible(const Number& lifespan) const {
  const std::vector<Number> all = shares(lifespan);
  return std::all_of(all.begin(), all.end(), [](const Number& share) { return share >= 0; });
}

template <class Number>
std::optional<Number> NowProtocol<Number>::least_lifespan() const {
  Number least = 0;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] > 0) least = std::max(least, Number(offsets[i] / slopes[i]));
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] <= 0 && slopes[i] * least < offsets[i]) return std::nullopt;
  return least;
}

template <class Number>
void NowProtocol<Number>::add_totals(const Now<Number>& now) {
  slope = std::accumulate(slopes.begin(), slopes.end(), Number(0));
  offset = std::accumulate(offsets.begin(), offsets.end(), Number(0));
  message_rate = now.packaging + now.transit * (1 + now.delta);
  for (const NowWorker<Number>& worker : now.workers)
    message_overhead += worker.setup_to + worker.setup_from + 2 * (now.latency - now.transit);
}

template <class Number>
void require_valid(const Now<Number>& now, const NowOrders& orders) {
  if (now.workers.empty()) throw InputError("a network needs at least one workstation");
  for (const Number* value : {&now.packaging, &now.latency, &now.transit, &now.delta})
    if (!is_time(*value)) throw InputError("packaging, latency, transit and delta must be finite and zero or more");
  for (std::size_t i = 0; i < now.workers.size(); ++i) {
    const auto& worker = now.workers[i];
    for (const Number* value :
         {&worker.work_time, &worker.packaging, &worker.unpackaging, &worker.setup_to, &worker.setup_from})
      if (!is_time(*value))
        throw InputError(fmt::format("workstation {}: times must be finite and zero or more", i + 1));
    if (worker.work_time == 0) throw InputError(fmt::format("workstation {}: its work time must be positive", i + 1));
  }
  places(orders.start, now.workers.size(), "start");
  places(orders.finish, now.workers.size(), "finish");
}

template <class Number>
NowProtocol<Number> now_protocol(const Now<Number>& now, const NowOrders& orders) {
  require_valid(now, orders);
  NowProtocol<Number> result;
  bool is_solved = false;
  if constexpr (std::is_same_v<Number, double>)
    is_solved = now.workers.size() > kFewWorkers && solve_by_sweeps(now, orders, result);
  if (!is_solved) solve(system_of(now, orders), result.slopes, result.offsets);
  result.add_totals(now);
  return result;
}

template <class Number>
std::optional<Number> crossover_lifespan(const NowProtocol<Number>& first, const NowProtocol<Number>& second) {
  if (!(first.slope > second.slope)) return std::nullopt;
  return (first.offset - second.offset) / (first.slope - second.slope);
}

template struct NowProtocol<double>;
template struct NowProtocol<Rational>;
template void require_valid(const Now<double>&, const NowOrders&);
template void require_valid(const Now<Rational>&, const NowOrders&);
template NowProtocol<double> now_protocol(const Now<double>&, const NowOrders&);
template NowProtocol<Rational> now_protocol(const Now<Rational>&, const NowOrders&);
template std::optional<double> crossover_lifespan(const NowProtocol<double>&, const NowProtocol<double>&);
template std::optional<Rational> crossover_lifespan(const NowProtocol<Rational>&, const NowProtocol<Rational>&);

}  // namespace coterie::heuristics
