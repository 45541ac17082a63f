#include "heuristics/charts/chart_catalogue.hpp"

#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/optimal_chart.hpp"
#include "heuristics/charts/refined_chart.hpp"

namespace coterie::heuristics {

const std::vector<NamedChart>& paper_charts() {
  static const std::vector<NamedChart> table = {
      {"group-cyclic", "every row forwards", cyclic_chart},
      {"reverse", "the first row forwards, the others backwards", reverse_chart},
      {"mirror", "the first half of the rows forwards, the others backwards", mirror_chart},
      {"snake", "rows forwards and backwards in turn", snake_chart},
      {"fat-snake", "one row forwards, then two rows backwards, two steps at a time", fat_snake_chart},
      {"greedy", "row by row, the earliest step to the group most at risk", greedy_chart},
  };
  return table;
}

const std::vector<NamedChart>& all_charts() {
  static const std::vector<NamedChart> table = [] {
    std::vector<NamedChart> rows = paper_charts();
    rows.push_back({"best", "the best of the six charts of the paper", best_chart});
    rows.push_back({"refined", "the best of the six, improved by exchanges between groups", refined_chart});
    rows.push_back({"optimal", "provably the best chart; small charts only", optimal_chart});
    return rows;
  }();
  return table;
}

GroupChart best_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step) {
  constexpr double kTie = 1e-13;
  GroupChart best;
  double least = 0;
  for (const auto& row : paper_charts()) {
    GroupChart chart = row.build(executions, groups, risk_at_step);
    const double cost = log_chart_cost(chart, risk_at_step);
    if (!best.steps.empty() && !(cost < least - kTie)) continue;
    best = std::move(chart);
    least = cost;
  }
  return best;
}

}  // namespace coterie::heuristics
