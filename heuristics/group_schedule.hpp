#pragma once

#include <map>

#include "heuristics/granularity.hpp"
#include "heuristics/worksharing.hpp"

namespace coterie::heuristics {

/// A group schedule: the workload in slices for disjoint coteries, each worker of a coterie running every chunk of its
/// slice in the order that `chart` sets. In its i-th execution of group j worker r takes chunk j g + (r + i) mod g;
/// where n is no multiple of g the last group is filled up with phantom chunks, which are skipped without idling.
/// [worksharing-2013, Sections 5.1, 5.2 and 7.1]
Plan group_plan(const WorksharingProblem& problem, const Granularity& granularity, ChartBuilder chart);

/// The same with the greedy chart. [worksharing-2013, Sections 5.2.4 and 7.1]
Plan greedy_plan(const WorksharingProblem& problem, const Granularity& granularity);

/// The same with the number of equal chunks given: `counts[g]` for each slice that g workers share.
Plan greedy_plan(const WorksharingProblem& problem, const std::map<std::size_t, std::size_t>& counts);

/// The same slices and chunks as `plan`, run in the order of other charts. `weights[j]` = real chunks of group j / g.
using WeightedChartBuilder = GroupChart (*)(std::size_t executions, std::size_t groups,
                                            std::span<const double> risk_at_step, std::span<const double> weights);
Plan rechart(const WorksharingProblem& problem, const Plan& plan, WeightedChartBuilder chart);

/// Exact expected work of one coterie of `workers` on a slice cut into n equal chunks: the fast twin of building the
/// schedule and asking core's expected_work.
class SliceObjective {
 public:
  SliceObjective(std::size_t workers, double slice, double startup_cost, const Risk& risk, ChartBuilder chart)
      : workers_(workers), slice_(slice), startup_cost_(startup_cost), risk_(risk), chart_(chart) {}

  std::size_t workers() const { return workers_; }
  double slice() const { return slice_; }
  double expected(std::size_t chunks);
  /// >= expected(n) for every n in [first, last]: no time is later than with n = last, no slice longer than n = first.
  double upper_bound(std::size_t first, std::size_t last) const;

 private:
  double step(std::size_t chunks) const { return slice_ / static_cast<double>(chunks) + startup_cost_; }
  double product_of_column(const GroupChart& chart, std::size_t group) const;
  double mean_lost(const GroupChart& chart, std::size_t phantoms) const;

  std::size_t workers_;
  double slice_;
  double startup_cost_;
  const Risk& risk_;
  ChartBuilder chart_;
  std::vector<double> risk_at_step_;
};

/// The number of equal chunks for a slice, as auto or auto-paper choose it.
GranularityChoice choose_slice_chunks(SliceObjective& objective, const WorksharingProblem& problem,
                                      Granularity::Kind kind);

}  // namespace coterie::heuristics
