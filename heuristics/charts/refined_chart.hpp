#pragma once

#include <span>

#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// A chart near the optimum: starts from the best of the six charts and exchanges entries between columns until none of
/// the exchanges that it tries helps (column_descent.hpp says which). It minimises log_chart_cost, so it depends on the
/// risk. Rows need not hold consecutive steps; columns ascend, so row i is the i-th execution. Never worse than the
/// best of the six. [RESULTS.md, "The best group schedules"] Requires risks that do not decrease, executions, groups
/// >= 1.
GroupChart refined_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);

/// The same if groups are not complete: `group_weights[j]` in (0, 1] = real chunks of group j / executions.
/// The six charts, including greedy, ignore weights; this one uses them.
GroupChart refined_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                         std::span<const double> group_weights);

/// Orders the entries of each column ascending, and the columns so that, among equal weights, first entries ascend, and
/// the greater product gets the smaller weight. The cost never rises. `group_weights` may be empty.
GroupChart tidy_chart(const GroupChart& chart, std::span<const double> risk_at_step,
                      std::span<const double> group_weights = {});

}  // namespace coterie::heuristics
