#pragma once

#include <cstddef>
#include <span>

#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// ln of the cost of a chart: sum over columns j of weight_j * product over rows i of Pr(C(i, j)).
/// The expected work of a complete group schedule is slice - (slice / groups) * cost: the least cost is the best chart.
/// [worksharing-2013, Section 5.2.2 and Theorem 9; valid for any risk, errata B7]
///
/// `risk_at_step[s - 1]` = Pr(s (omega + eps)) >= 0 for s = 1..executions*groups; with linear_risk_at_steps the cost
/// is the performance constant K. `group_weights[j]` in (0, 1] = real chunks of group j / executions (phantom chunks
/// cost nothing); empty: all 1. Relative error of exp(result): (executions + groups + |result|) 2^-52.
/// -infinity if the cost is 0.
double log_chart_cost(const GroupChart& chart, std::span<const double> risk_at_step,
                      std::span<const double> group_weights = {});

/// ln of K_LB, a lower bound on the cost of every chart [RESULTS.md, "The best group schedules"].
///   L(k) = (sum of the k smallest logs) + (sum of the (g-1) k largest logs), k = 0..m: columns that hold the k
/// smallest risks have no greater sum, so the k smallest column sums lie below the lower convex hull H of L. By
/// majorisation cost >= sum_k exp(H(k) - H(k-1)). For two executions this is the cost of reverse, the
/// optimum, where risk(k) risk(n + 1 - k) does not fall for k = 1..m, as under a linear risk.
/// Weights: L(k) gains the k greatest ln(weight). Steps without risk: see ZeroRiskSplit; the bound is then that of the
/// smaller problem left over. Requires risks that do not decrease. -infinity if a chart costs nothing.
/// Relative error of exp(result): (groups + sum of |ln risk| over a column) 2^-52.
double log_chart_cost_bound(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                            std::span<const double> group_weights = {});

/// K_LB itself, rounded down: no chart costs less. Infinite where a double cannot hold it.
double chart_cost_bound(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);

/// ln K_LB for given logarithms of the steps (ascending, finite), as many as weights (ln, descending) times
/// executions.
double log_bound_of_logs(std::size_t executions, std::span<const double> logs, std::span<const double> log_weights);

/// What an optimal chart does with z = free_columns steps of zero risk if z < groups: each makes one column free of
/// cost, and such a column absorbs the greatest risks. (A column with two zeros can hand one to a column without
/// and take any entry instead; a free column can trade any entry for a greater one of a column that costs.) The other
/// m - z columns share the steps z+1 .. z + g (m - z). If z >= groups, every column is free.
struct ZeroRiskSplit {
  std::size_t free_columns = 0;    ///< min(z, groups)
  std::size_t first_step = 1;      ///< the columns that cost share the steps first_step ..
  std::size_t costly_columns = 0;  ///< .. first_step + executions * costly_columns - 1
};
ZeroRiskSplit split_off_zero_risk(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);

}  // namespace coterie::heuristics
