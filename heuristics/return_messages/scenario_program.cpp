#include "heuristics/return_messages/scenario_program.hpp"

#include <fmt/format.h>

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <numeric>
#include <type_traits>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "heuristics/return_messages/packing_program.hpp"

namespace coterie::heuristics {
namespace {

/// Place of each worker in an order.
std::vector<std::size_t> places(const std::vector<std::size_t>& order, std::size_t workers) {
  std::vector<std::size_t> place(workers, 0);
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

template <class Number>
StarSharing<Number> sharing_of(const Scenario& scenario, std::vector<Number> shares) {
  StarSharing<Number> result;
  result.throughput = std::accumulate(shares.begin(), shares.end(), Number(0));
  result.scenario = without_idle_workers(scenario, shares);
  result.shares = std::move(shares);
  return result;
}

/// CLP keeps its constraints up to a tolerance only: shrinks the shares until all hold.
void shrink_to_fit(const StarPlatform<double>& platform, const Scenario& scenario, Ports ports,
                   std::vector<double>& shares) {
  std::vector<double> used(platform.size());
  double sent = 0;
  for (const std::size_t i : scenario.send_order) {
    sent += platform[i].send_time * shares[i];
    used[i] = sent + platform[i].compute_time * shares[i];
  }
  double returned = 0;
  double most = 0;
  for (auto i = scenario.return_order.rbegin(); i != scenario.return_order.rend(); ++i) {
    returned += platform[*i].return_time * shares[*i];
    most = std::max(most, used[*i] + returned);
  }
  if (ports == Ports::kOne) most = std::max(most, sent + returned);
  if (most > 1)
    for (double& share : shares) share /= most;
}

/// CLP asks between pivots.
class EndWhereCancelled final : public ClpEventHandler {
 public:
  static constexpr int kEnded = 5;  // what the solver's status is then
  int event(Event) override {
    const Cancellation* const wish = CancellationScope::current();
    return wish != nullptr && wish->wanted() ? 0 : -1;
  }
  ClpEventHandler* clone() const override { return new EndWhereCancelled(*this); }  // owned by the solver
};

/// The sparse program for CLP. Columns: m shares (scaled: x_i = a_i (c_i + w_i + d_i), so that all are of size 1), then
/// m send loads S_k = sum of the first k + 1 messages, then m return loads R_k = sum of the messages k and later.
class SparseProgram {
 public:
  SparseProgram(const StarPlatform<double>& platform, const Scenario& scenario, Ports ports)
      : platform_(platform), scenario_(scenario), size_(static_cast<int>(scenario.send_order.size())) {
    const auto sent = places(scenario.send_order, platform.size());
    const auto returned = places(scenario.return_order, platform.size());
    for (int k = 0; k < size_; ++k) {
      const std::size_t i = scenario.send_order[static_cast<std::size_t>(k)];
      row({{k, -platform[i].send_time / total(i)}, {size_ + k, 1}, {k > 0 ? size_ + k - 1 : -1, -1}}, 0, 0);
      row({{k, platform[i].compute_time / total(i)}, {size_ + k, 1}, {2 * size_ + static_cast<int>(returned[i]), 1}},
          -COIN_DBL_MAX, 1);
    }
    for (int k = 0; k < size_; ++k) {
      const std::size_t i = scenario.return_order[static_cast<std::size_t>(k)];
      row({{static_cast<int>(sent[i]), -platform[i].return_time / total(i)},
           {2 * size_ + k, 1},
           {k + 1 < size_ ? 2 * size_ + k + 1 : -1, -1}},
          0, 0);
    }
    if (ports == Ports::kOne) row({{2 * size_ - 1, 1}, {2 * size_, 1}}, -COIN_DBL_MAX, 1);
  }

  std::vector<double> shares() const {
    const int columns = 3 * size_;
    const CoinPackedMatrix matrix(false, rows_.data(), columns_.data(), values_.data(),
                                  static_cast<CoinBigIndex>(values_.size()));
    const std::vector<double> least(static_cast<std::size_t>(columns), 0.0);
    const std::vector<double> most(static_cast<std::size_t>(columns), COIN_DBL_MAX);
    std::vector<double> gain(static_cast<std::size_t>(columns), 0.0);
    double scale = 0;
    for (const std::size_t i : scenario_.send_order) scale = std::max(scale, 1 / total(i));
    for (int k = 0; k < size_; ++k)
      gain[static_cast<std::size_t>(k)] = 1 / total(scenario_.send_order[static_cast<std::size_t>(k)]) / scale;

    ClpSimplex solver;
    solver.setLogLevel(0);
    solver.loadProblem(matrix, least.data(), most.data(), gain.data(), lower_.data(), upper_.data());
    solver.setOptimizationDirection(-1);
    constexpr double kTolerance = scenario_tolerance(kDenseScenarioWorkers + 1);
    solver.setPrimalTolerance(kTolerance);
    solver.setDualTolerance(kTolerance);
    const EndWhereCancelled handler;
    solver.passInEventHandler(&handler);
    solver.primal();
    if (solver.status() == EndWhereCancelled::kEnded) cancellation_point();
    if (solver.status() != 0) throw RuntimeError(fmt::format("CLP found no optimum (status {})", solver.status()));

    std::vector<double> shares(platform_.size(), 0.0);
    for (int k = 0; k < size_; ++k) {
      const std::size_t i = scenario_.send_order[static_cast<std::size_t>(k)];
      shares[i] = std::max(0.0, solver.primalColumnSolution()[k]) / total(i);
    }
    return shares;
  }

 private:
  struct Entry {
    int column;
    double value;
  };

  double total(std::size_t i) const {
    return platform_[i].send_time + platform_[i].compute_time + platform_[i].return_time;
  }

  void row(std::initializer_list<Entry> entries, double lower, double upper) {
    const int number = static_cast<int>(lower_.size());
    for (const Entry& entry : entries) {
      if (entry.column < 0 || entry.value == 0) continue;
      rows_.push_back(number);
      columns_.push_back(entry.column);
      values_.push_back(entry.value);
    }
    lower_.push_back(lower);
    upper_.push_back(upper);
  }

  const StarPlatform<double>& platform_;
  const Scenario& scenario_;
  int size_;
  std::vector<int> rows_;
  std::vector<int> columns_;
  std::vector<double> values_;
  std::vector<double> lower_;
  std::vector<double> upper_;
};

}  // namespace

template <class Number>
const std::vector<Number>& ScenarioRows<Number>::of(const StarPlatform<Number>& platform, const Scenario& scenario,
                                                    Ports ports) {
  const std::vector<std::size_t>& order = scenario.send_order;
  const std::size_t size = order.size();
  returned_.resize(platform.size());
  for (std::size_t k = 0; k < size; ++k) returned_[scenario.return_order[k]] = k;
  rows_.assign((size + (ports == Ports::kOne ? 1 : 0)) * size, Number(0));
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const StarWorker<Number>& worker = platform[order[column]];
      Number& cell = rows_[row * size + column];
      if (column <= row) cell += worker.send_time;
      if (column == row) cell += worker.compute_time;
      if (returned_[order[column]] >= returned_[order[row]]) cell += worker.return_time;
    }
  }
  if (ports == Ports::kOne)
    for (std::size_t column = 0; column < size; ++column)
      rows_[size * size + column] = platform[order[column]].send_time + platform[order[column]].return_time;
  return rows_;
}

template <class Number>
std::vector<Number> scenario_rows(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports) {
  return ScenarioRows<Number>().of(platform, scenario, ports);
}

StarSharing<double> solve_scenario_with_clp(const StarPlatform<double>& platform, const Scenario& scenario,
                                            Ports ports) {
  require_valid(platform);
  require_valid(scenario, platform.size());
  std::vector<double> shares = SparseProgram(platform, scenario, ports).shares();
  shrink_to_fit(platform, scenario, ports, shares);
  return sharing_of(scenario, std::move(shares));
}

template <class Number>
StarSharing<Number> solve_scenario(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports) {
  require_valid(platform);
  require_valid(scenario, platform.size());
  const std::size_t size = scenario.send_order.size();
  if constexpr (std::is_same_v<Number, double>) {
    if (size > kDenseScenarioWorkers) return solve_scenario_with_clp(platform, scenario, ports);
  } else {
    if (size > kExactScenarioWorkers)
      throw InputError(fmt::format("exact scenarios have at most {} workers", kExactScenarioWorkers));
  }
  const std::vector<Number> rows = scenario_rows(platform, scenario, ports);
  PackingSolver<Number> solver;
  solver.maximise(rows, rows.size() / size, size);
  std::vector<Number> shares(platform.size(), Number(0));
  for (std::size_t k = 0; k < size; ++k) shares[scenario.send_order[k]] = solver.solution()[k];
  return sharing_of(scenario, std::move(shares));
}

template class ScenarioRows<double>;
template class ScenarioRows<Rational>;
template std::vector<double> scenario_rows(const StarPlatform<double>&, const Scenario&, Ports);
template std::vector<Rational> scenario_rows(const StarPlatform<Rational>&, const Scenario&, Ports);
template StarSharing<double> solve_scenario(const StarPlatform<double>&, const Scenario&, Ports);
template StarSharing<Rational> solve_scenario(const StarPlatform<Rational>&, const Scenario&, Ports);

}  // namespace coterie::heuristics
