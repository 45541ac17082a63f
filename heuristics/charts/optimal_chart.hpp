#pragma once

#include <cstdint>
#include <span>

#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// The search for the optimal chart gives up after trying this many columns, or looking at a hundred times as many
/// parts of columns (up to about a minute).
inline constexpr std::uint64_t kOptimalChartColumns = 20'000'000;

/// A chart of least cost, proven so by branch and bound: log_chart_cost is the minimum over all partitions of the steps
/// into columns, to 1e-11 relative (exactly if risks are whole numbers, weights 1 and the cost below 2^30) and up to
/// the rounding of log_chart_cost. Columns are built one by one, each holding the smallest step left; the rest is
/// bounded by log_chart_cost_bound, and pairs of columns that an exchange would improve are cut. [Table 3(g);
/// RESULTS.md, "The best group schedules"] Throws InputError if the search would take more than `most_columns` columns
/// (or a hundred times as many parts of columns), or if the chart has more than 64 steps, more than two executions or
/// groups of unequal weights, and the lower bound does not prove it optimal; which charts are rejected depends only on
/// the arguments.
GroupChart optimal_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);
GroupChart optimal_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                         std::span<const double> group_weights, std::uint64_t most_columns = kOptimalChartColumns);

}  // namespace coterie::heuristics
