#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coterie::heuristics {

/// The group execution chart of one coterie: row i, column j holds the step (from 1) at which group j of chunks is
/// executed for the i-th time. Rows number the workers of the coterie; the entries are a permutation
/// of 1..rows*columns. [worksharing-2013, Section 5.2.2, Table 2]
struct GroupChart {
  std::size_t executions = 0;        ///< rows: g, the workers of the coterie
  std::size_t groups = 0;            ///< columns: m = ceil(n / g)
  std::vector<std::uint32_t> steps;  ///< row by row

  std::uint32_t at(std::size_t execution, std::size_t group) const { return steps[execution * groups + group]; }
};

/// How a chart is built. `risk_at_step[s - 1]` = Pr(s (omega + eps)) for s = 1..executions*groups; only the charts
/// that adapt to the risk (greedy) read it.
using ChartBuilder = GroupChart (*)(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);
/// A builder that is told which part of each group is real: `weights`, 1 for a complete group.
using WeightedChartBuilder = GroupChart (*)(std::size_t executions, std::size_t groups,
                                            std::span<const double> risk_at_step, std::span<const double> weights);

GroupChart cyclic_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step = {});
/// Row 0 forwards, all others backwards.
GroupChart reverse_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step = {});
/// The first floor(g/2) rows forwards, the others backwards.
GroupChart mirror_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step = {});
/// Forwards and backwards in turn.
GroupChart snake_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step = {});
/// Triples of rows: forwards, then two rows handed out backwards two at a time; left-over rows forwards.
GroupChart fat_snake_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step = {});
/// Row by row, the smallest step to the column with the greatest product of risks so far, ties to the lower column.
/// [worksharing-2013, Sections 5.2.4 and 7.1]
GroupChart greedy_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);

/// Pr(s) proportional to s, as the linear risk gives without clipping. For charts in general.
std::vector<double> linear_risk_at_steps(std::size_t steps);

}  // namespace coterie::heuristics
