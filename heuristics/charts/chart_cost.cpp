#include "heuristics/charts/chart_cost.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kMinusInfinity = -kInfinity;

/// ln of a product of non-negative doubles of any number and size: before it leaves the range of doubles, its exponent
/// is kept apart.
class ScaledProduct {
 public:
  void multiply(double factor) {
    if (!(factor > 1e-200 && factor < 1e200)) scale();
    product_ *= factor;
    if (!(product_ > 1e-100 && product_ < 1e100)) scale();
  }
  double log() {
    scale();
    return std::log(product_) + static_cast<double>(exponent_) * std::numbers::ln2;
  }

 private:
  void scale() {
    int exponent = 0;
    product_ = std::frexp(product_, &exponent);
    exponent_ += exponent;
  }

  double product_ = 1;
  long exponent_ = 0;
};

/// Sum of exp over terms given by their logarithms, summed relative to the greatest.
double log_of_sum(const std::vector<double>& logs) {
  if (logs.empty()) return kMinusInfinity;
  const double greatest = *std::max_element(logs.begin(), logs.end());
  if (greatest == kMinusInfinity) return kMinusInfinity;
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - greatest);
  return greatest + std::log(sum);
}

/// The increments H(k) - H(k-1), k = 1..m, of the greatest convex function H below a walk with these steps:
/// neighbours that fall are pooled. Sums of logarithms may be long: in doubles they would lose digits of the steps.
std::vector<double> hull_increments(const std::vector<long double>& steps) {
  struct Pool {
    long double sum;
    std::size_t steps;
    long double mean() const { return sum / static_cast<long double>(steps); }
  };
  std::vector<Pool> pools;
  for (const long double step : steps) {
    Pool pool = {step, 1};
    for (; !pools.empty() && pools.back().mean() >= pool.mean(); pools.pop_back())
      pool = {pools.back().sum + pool.sum, pools.back().steps + pool.steps};
    pools.push_back(pool);
  }
  std::vector<double> increments;
  for (const Pool& pool : pools) increments.insert(increments.end(), pool.steps, static_cast<double>(pool.mean()));
  return increments;
}

}  // namespace

double log_chart_cost(const GroupChart& chart, std::span<const double> risk_at_step,
                      std::span<const double> group_weights) {
  std::vector<double> logs(chart.groups);
  for (std::size_t j = 0; j < chart.groups; ++j) {
    cancellation_point();
    ScaledProduct product;
    if (!group_weights.empty()) product.multiply(group_weights[j]);
    for (std::size_t i = 0; i < chart.executions; ++i) product.multiply(risk_at_step[chart.at(i, j) - 1]);
    logs[j] = product.log();
  }
  return log_of_sum(logs);
}

ZeroRiskSplit split_off_zero_risk(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step) {
  std::size_t zeros = 0;
  while (zeros < executions * groups && risk_at_step[zeros] == 0) ++zeros;
  const std::size_t free = std::min(zeros, groups);
  return {free, free + 1, groups - free};
}

double log_chart_cost_bound(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                            std::span<const double> group_weights) {
  const ZeroRiskSplit split = split_off_zero_risk(executions, groups, risk_at_step);
  const std::size_t columns = split.costly_columns;
  if (columns == 0) return kMinusInfinity;
  std::vector<double> weights(group_weights.begin(), group_weights.end());
  weights.resize(groups, 1.0);
  std::sort(weights.begin(), weights.end(), std::greater<>());

  // The free columns carry the greatest weights.
  std::vector<double> log_weights(columns);
  for (std::size_t k = 0; k < columns; ++k) log_weights[k] = std::log(weights[split.free_columns + k]);
  std::vector<double> logs(executions * columns);
  for (std::size_t s = 0; s < logs.size(); ++s) logs[s] = std::log(risk_at_step[split.first_step - 1 + s]);
  return log_bound_of_logs(executions, logs, log_weights);
}

double chart_cost_bound(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step) {
  double greatest = 0;  // of |ln risk|
  for (const double risk : risk_at_step.first(executions * groups))
    if (risk > 0) greatest = std::max(greatest, std::abs(std::log(risk)));
  const double error = 0x1p-51 * (static_cast<double>(groups) + static_cast<double>(executions) * greatest + 4);
  return std::exp(log_chart_cost_bound(executions, groups, risk_at_step)) * (1 - error);
}

double log_bound_of_logs(std::size_t executions, std::span<const double> logs, std::span<const double> log_weights) {
  std::vector<long double> steps(log_weights.size());
  std::size_t above = logs.size();
  for (std::size_t k = 0; k < steps.size(); ++k) {
    cancellation_point();
    steps[k] = static_cast<long double>(logs[k]) + log_weights[k];
    for (std::size_t i = 1; i < executions; ++i) steps[k] += logs[--above];
  }
  return log_of_sum(hull_increments(steps));
}

}  // namespace coterie::heuristics
