#include "heuristics/return_messages/order_proof.hpp"

#include <algorithm>
#include <type_traits>

#include "heuristics/return_messages/packing_program.hpp"
#include "heuristics/return_messages/scenario_program.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kClose = 1e-9;      // bounds this close to the best known are settled in exact arithmetic
constexpr double kRounding = 1e-12;  // or, in doubles, count as equal

/// What is decided: the first messages sent and, for pairs, the last ones returned (the very last first).
struct Decided {
  std::vector<std::size_t> sent_first;
  std::vector<std::size_t> returned_last;
};

bool contains(const std::vector<std::size_t>& list, std::size_t worker) {
  return std::find(list.begin(), list.end(), worker) != list.end();
}

/// The rows of the linear program that no completion of the decided orders can beat.
template <class Number>
void relax_rows(const StarPlatform<Number>& platform, OrderKind kind, Ports ports, const Decided& decided,
                std::vector<Number>& rows) {
  const std::size_t size = platform.size();
  rows.assign((size + (ports == Ports::kOne ? 1 : 0)) * size, Number(0));
  const auto cell = [&](std::size_t row, std::size_t column) -> Number& { return rows[row * size + column]; };
  for (std::size_t i = 0; i < size; ++i) {
    cell(i, i) = platform[i].send_time + platform[i].compute_time + platform[i].return_time;
    for (const std::size_t j : decided.sent_first) {
      if (j == i) break;
      cell(i, j) += platform[j].send_time;
    }
    for (const std::size_t j : decided.returned_last) {
      if (j == i) break;
      cell(i, j) += platform[j].return_time;
    }
  }
  if (kind == OrderKind::kFifo) {
    for (std::size_t i = 0; i < size; ++i) {
      const bool placed = contains(decided.sent_first, i);
      for (std::size_t j = 0; j < size; ++j) {
        if (i == j || contains(decided.sent_first, j)) continue;
        cell(i, j) += placed ? platform[j].return_time : std::min(platform[j].send_time, platform[j].return_time);
      }
    }
    // Among the placed, those sent later also return later.
    for (std::size_t a = 0; a < decided.sent_first.size(); ++a)
      for (std::size_t b = a + 1; b < decided.sent_first.size(); ++b)
        cell(decided.sent_first[a], decided.sent_first[b]) += platform[decided.sent_first[b]].return_time;
  }
  if (ports == Ports::kOne)
    for (std::size_t j = 0; j < size; ++j) cell(size, j) = platform[j].send_time + platform[j].return_time;
}

template <class Number>
class BranchAndBound {
 public:
  BranchAndBound(const StarPlatform<Number>& platform, OrderKind kind, Ports ports, const Scenario& start)
      : platform_(platform),
        rounded_(to_doubles(platform)),
        kind_(kind),
        ports_(ports),
        best_(solve_scenario(platform, start, ports)),
        best_value_(static_cast<double>(best_.throughput)) {}

  StarSharing<Number> run() {
    Decided nothing;
    descend(nothing);
    return best_;
  }

 private:
  double bound(const Decided& decided) {
    relax_rows(rounded_, kind_, ports_, decided, rows_);
    return solver_.maximise(rows_, rows_.size() / platform_.size(), platform_.size());
  }

  /// Whether a completion may be better than the best known.
  bool promises(const Decided& decided, double value) {
    if constexpr (std::is_same_v<Number, double>) {
      return value > best_value_ * (1 + kRounding);
    } else {
      if (value > best_value_ * (1 + kClose)) return true;
      if (value < best_value_ * (1 - kClose)) return false;
      std::vector<Number> rows;
      relax_rows(platform_, kind_, ports_, decided, rows);
      return exact_solver_.maximise(rows, rows.size() / platform_.size(), platform_.size()) > best_.throughput;
    }
  }

  bool complete(const Decided& decided) const {
    const std::size_t size = platform_.size();
    return decided.sent_first.size() == size && (kind_ == OrderKind::kFifo || decided.returned_last.size() == size);
  }

  void record(const Decided& decided) {
    Scenario scenario{decided.sent_first, {decided.returned_last.rbegin(), decided.returned_last.rend()}};
    if (kind_ == OrderKind::kFifo) scenario.return_order = scenario.send_order;
    StarSharing<Number> found = solve_scenario(platform_, scenario, ports_);
    if (found.throughput > best_.throughput) {
      best_ = std::move(found);
      best_value_ = static_cast<double>(best_.throughput);
    }
  }

  /// Equal workers are sent to in the order of the platform: any other order is the same with their names exchanged.
  bool repeats_an_equal(std::size_t worker, const Decided& decided) const {
    for (std::size_t other = 0; other < worker; ++other)
      if (platform_[other] == platform_[worker] && !contains(decided.sent_first, other)) return true;
    return false;
  }

  void descend(Decided& decided) {
    if (complete(decided)) return record(decided);
    const bool sending = kind_ == OrderKind::kFifo || decided.sent_first.size() == decided.returned_last.size();
    std::vector<std::size_t>& order = sending ? decided.sent_first : decided.returned_last;
    std::vector<std::pair<double, std::size_t>> children;
    for (std::size_t worker = 0; worker < platform_.size(); ++worker) {
      if (contains(order, worker) || (sending && repeats_an_equal(worker, decided))) continue;
      order.push_back(worker);
      children.emplace_back(-bound(decided), worker);
      order.pop_back();
    }
    std::sort(children.begin(), children.end());
    for (const auto& [negative, worker] : children) {
      order.push_back(worker);
      if (promises(decided, -negative)) descend(decided);
      order.pop_back();
    }
  }

  const StarPlatform<Number>& platform_;
  StarPlatform<double> rounded_;
  OrderKind kind_;
  Ports ports_;
  StarSharing<Number> best_;
  double best_value_;
  std::vector<double> rows_;
  PackingSolver<double> solver_;
  PackingSolver<Number> exact_solver_;
};

}  // namespace

template <class Number>
StarSharing<Number> prove_orders(const StarPlatform<Number>& platform, OrderKind kind, Ports ports,
                                 const Scenario& start) {
  return BranchAndBound<Number>(platform, kind, ports, start).run();
}

template StarSharing<double> prove_orders(const StarPlatform<double>&, OrderKind, Ports, const Scenario&);
template StarSharing<Rational> prove_orders(const StarPlatform<Rational>&, OrderKind, Ports, const Scenario&);

}  // namespace coterie::heuristics
