#pragma once

#include <string>
#include <vector>

#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// A way to build a group chart.
struct NamedChart {
  std::string name;  ///< as in `--strategy`: "group-cyclic", "reverse", ...
  std::string summary;
  ChartBuilder build;
};

/// The six charts of worksharing-2013, Section 5.2.4 and Table 4, in the order of the table.
const std::vector<NamedChart>& paper_charts();
/// The six, and best, refined and optimal.
const std::vector<NamedChart>& all_charts();

/// The one of the six with the least cost; the earlier row if costs agree to 1e-13. [Table 4, "best-of"]
GroupChart best_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step);

}  // namespace coterie::heuristics
