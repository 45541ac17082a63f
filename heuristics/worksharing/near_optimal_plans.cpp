#include "heuristics/worksharing/near_optimal_plans.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "heuristics/charts/chart_catalogue.hpp"
#include "heuristics/charts/optimal_chart.hpp"
#include "heuristics/charts/refined_chart.hpp"
#include "heuristics/worksharing/group_schedule.hpp"

namespace coterie::heuristics {
namespace {

GroupChart proven_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step,
                        std::span<const double> weights) {
  return optimal_chart(executions, groups, risk_at_step, weights);
}

bool same_order(const SlicePlan& a, const SlicePlan& b) {
  return a.chunking.count() == b.chunking.count() && a.chart.steps == b.chart.steps;
}

bool same_order(const SlicePlans& a, const SlicePlans& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](const auto& one, const auto& other) { return same_order(one.second, other.second); });
}

bool groups_are_complete(const SlicePlan& slice) {
  return slice.chunking.uniform() && slice.chunking.count() == slice.chart.steps.size();
}

/// Those of the five charts beside greedy's that differ for so many executions: which rows go forwards, which backwards
/// and how does not depend on the number of groups, and three groups tell it apart.
std::vector<ChartBuilder> different_charts(std::size_t executions) {
  std::vector<ChartBuilder> builders;
  std::vector<GroupChart> charts;
  for (const NamedChart& row : paper_charts()) {
    if (row.build == greedy_chart) continue;
    const GroupChart chart = row.build(executions, 3, {});
    if (std::any_of(charts.begin(), charts.end(), [&](const GroupChart& one) { return one.steps == chart.steps; }))
      continue;
    builders.push_back(row.build);
    charts.push_back(chart);
  }
  return builders;
}

/// Chooses for the slices of one size among charts, by exact expected work where all workers are alike.
class BestSlice {
 public:
  BestSlice(const WorksharingProblem& problem, const SliceShare& share, SliceCache* memory)
      : problem_(problem), memory_(memory) {
    // The slice alone, which its workers may all be needed for.
    problem_.workers = share.workers;
    problem_.work = share.size;
    problem_.lambda = 1;
    problem_.coteries = 1;
  }

  void consider(const SlicePlan& plan) {
    const double expected = expected_of(plan);
    if (best_ && !(expected > expected_ * (1 + 1e-14))) return;
    best_ = plan;
    expected_ = expected;
  }
  /// In the order that exchanges make of the best of the six charts for these chunks.
  void consider_refined(const SlicePlan& plan) {
    consider(rechart(problem_, {{problem_.workers, plan}}, refined_chart, memory_).begin()->second);
  }
  const SlicePlan& best() const { return *best_; }

 private:
  double expected_of(const SlicePlan& plan) const {
    // Full chunks of a given number per unit may differ from equal parts by 1e-9, which is more than one time is apart
    // from another (core/ties.hpp).
    const Chunking& cut = plan.chunking;
    const bool equal_parts =
        cut.uniform() && std::abs(cut.elapsed(cut.count(), false) - problem_.work) <= 1e-14 * problem_.work;
    if (!equal_parts) return to_plan(problem_, {{problem_.workers, plan}}).expected_work;
    SliceObjective objective(problem_.workers, problem_.work, problem_.startup_cost, *problem_.risk, nullptr);
    return objective.expected(plan.chunking.count(), plan.chart);
  }

  WorksharingProblem problem_;
  SliceCache* memory_;
  std::optional<SlicePlan> best_;
  double expected_ = 0;
};

/// The best of the six charts, and refined ones, for the chunks of each. The order of the charts by their cost is that
/// of what they expect where groups are complete: refined is never worse than the six for the same chunks then.
SlicePlan best_slice(const PlanCache& cache, const SliceShare& share, const SlicePlan& greedy,
                     std::size_t& considered) {
  if (share.workers == 1 && greedy.chunking.uniform()) return greedy;  // whatever the order
  BestSlice slice(cache.problem(), share, cache.granularity().memory);
  slice.consider(greedy);
  slice.consider_refined(greedy);
  std::vector<SlicePlan> seen = {greedy};
  for (const ChartBuilder chart : different_charts(share.workers)) {
    const SlicePlan plan = group_slice(cache.problem(), cache.granularity(), share, chart, considered);
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const SlicePlan& one) {
      return same_order(one, plan) || (groups_are_complete(plan) && one.chunking.count() == plan.chunking.count());
    });
    if (known) continue;
    seen.push_back(plan);
    slice.consider(plan);
    if (groups_are_complete(plan)) slice.consider_refined(plan);
  }
  const SlicePlan found = slice.best();
  slice.consider_refined(found);
  return slice.best();
}

/// If all workers are alike, so are coteries of equal size, and each size has its best chart.
Plan best_of_slices(PlanCache& cache, const Plan& greedy) {
  std::size_t considered = greedy.counts_considered;
  const SlicePlans greedy_slices = slices_of(greedy);
  SlicePlans slices;
  for (const SliceShare& share : partition(cache.problem()).slices)
    if (!slices.contains(share.workers))
      slices.emplace(share.workers, best_slice(cache, share, greedy_slices.at(share.workers), considered));
  Plan plan = same_order(slices, greedy_slices) ? greedy : to_plan(cache.problem(), slices);
  plan.counts_considered = considered;
  return plan;
}

/// If workers differ, whole plans are compared.
Plan best_of_plans(PlanCache& cache, const Plan& greedy) {
  const WorksharingProblem& problem = cache.problem();
  std::size_t considered = greedy.counts_considered;
  std::vector<SlicePlans> seen = {slices_of(greedy)};
  Plan best = greedy;
  const auto consider = [&](const SlicePlans& slices) {
    if (std::any_of(seen.begin(), seen.end(), [&](const SlicePlans& one) { return same_order(one, slices); })) return;
    seen.push_back(slices);
    if (Plan plan = to_plan(problem, slices); plan.expected_work > best.expected_work) best = std::move(plan);
  };
  const auto consider_refined = [&](const SlicePlans& slices) {
    consider(rechart(problem, slices, refined_chart, cache.granularity().memory));
  };
  for (const NamedChart& row : paper_charts()) {
    if (row.build == greedy_chart) continue;
    SlicePlans slices;
    for (const SliceShare& share : partition(problem).slices)
      if (!slices.contains(share.workers))
        slices.emplace(share.workers, group_slice(problem, cache.granularity(), share, row.build, considered));
    consider(slices);
  }
  consider_refined(slices_of(greedy));
  consider_refined(slices_of(best));
  best.counts_considered = considered;
  return best;
}

}  // namespace

Plan refined_plan(PlanCache& cache) {
  const Plan& greedy = cache.get(alone<greedy_plan>);
  if (greedy.coteries.empty()) return greedy;  // lone workers, each with its best chunks
  Plan plan = cache.problem().worker_risks.empty() ? best_of_slices(cache, greedy) : best_of_plans(cache, greedy);
  return plan.expected_work > greedy.expected_work ? plan : greedy;
}

/// Charts are compared as if phantoms took their steps; skipping them can reverse the order.
Plan optimal_plan(PlanCache& cache) {
  const Plan& greedy = cache.get(alone<greedy_plan>);
  if (greedy.coteries.empty()) return greedy;
  const SlicePlans greedy_slices = slices_of(greedy);
  const SlicePlans slices = rechart(cache.problem(), greedy_slices, proven_chart, cache.granularity().memory);
  if (same_order(slices, greedy_slices)) return greedy;
  Plan optimal = to_plan(cache.problem(), slices);
  optimal.counts_considered = greedy.counts_considered;
  return optimal.expected_work > greedy.expected_work ? optimal : greedy;
}

}  // namespace coterie::heuristics
