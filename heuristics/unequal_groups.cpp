#include "heuristics/unequal_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/empirical_risk.hpp"
#include "heuristics/one_worker.hpp"
#include "heuristics/partition.hpp"

namespace coterie::heuristics {
namespace {

double total(const std::vector<double>& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0.0); }

/// Searching is quadratic in the jumps of a trace: of more than that only some are kept, a few for each chunk, half of
/// them evenly spaced in probability and half in time. They are observed times, where chunks should end.
RiskPtr thinned_out(const RiskPtr& risk, std::size_t chunks) {
  const auto* trace = dynamic_cast<const EmpiricalRisk*>(risk.get());
  const std::size_t half = std::clamp<std::size_t>(4 * chunks, 250, 600);
  if (trace == nullptr || trace->jumps().size() <= 2 * half) return risk;
  const std::vector<double>& jumps = trace->jumps();
  const std::vector<double>& cumulative = trace->cumulative();
  std::set<std::size_t> kept;
  const auto keep = [&](const std::vector<double>& values, double value) {
    kept.insert(static_cast<std::size_t>(std::lower_bound(values.begin(), values.end() - 1, value) - values.begin()));
  };
  for (std::size_t i = 1; i <= half; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(half);
    keep(cumulative, share * cumulative.back());
    keep(jumps, share * jumps.back());
  }
  std::vector<double> durations;
  std::vector<double> weights;
  double before = 0;
  for (const std::size_t i : kept) {
    durations.push_back(jumps[i]);
    weights.push_back(cumulative[i] - before);
    before = cumulative[i];
  }
  return std::make_shared<EmpiricalRisk>(std::move(durations), std::move(weights), risk->text());
}

/// Numbers of groups to try, at most, where about `groups` are expected.
std::set<std::size_t> group_counts(const Granularity& granularity, std::size_t groups) {
  if (granularity.kind == Granularity::Kind::kPerUnit || granularity.kind == Granularity::Kind::kPerSlice)
    return {groups};
  const auto scaled = [&](double factor) {
    return static_cast<std::size_t>(std::max(1.0, std::round(factor * static_cast<double>(groups))));
  };
  return {scaled(0.7), groups, scaled(1.4)};
}

UnequalSlice best_slice(const WorksharingProblem& problem, const SliceShare& slice, const RiskPtr& searched,
                        const std::set<std::size_t>& group_counts) {
  const double share = slice.size / static_cast<double>(slice.workers);
  UnequalSlice best;
  const auto consider = [&](std::vector<double> sizes) {
    UnequalSlice one = greedy_unequal_slice(slice.workers, std::move(sizes), problem.startup_cost, *problem.risk);
    if (one.expected > best.expected) best = std::move(one);
  };
  for (const std::size_t groups : group_counts) {
    std::vector<double> sizes =
        optimal_chunks({share, static_cast<std::int64_t>(groups), problem.startup_cost, searched}).chunk_sizes;
    if (sizes.empty()) continue;
    const double stretch = share / total(sizes);
    consider(sizes);
    if (stretch <= 1 + 1e-12) continue;
    for (double& size : sizes) size *= stretch;
    consider(std::move(sizes));
  }
  return best;
}

/// Appends the pieces of a coterie and its workers' lists.
void append(const UnequalSlice& slice, std::size_t workers, double startup_cost, std::vector<double>& boundaries,
            std::vector<std::shared_ptr<const TaskList>>& lists) {
  const auto first = static_cast<std::uint32_t>(boundaries.size() - 1);
  for (const double size : slice.sizes)
    for (std::size_t q = 0; q < workers; ++q) boundaries.push_back(boundaries.back() + size);
  std::vector<double> finish;
  double clock = 0;
  for (const std::uint32_t group : slice.order) finish.push_back(clock += slice.sizes[group] + startup_cost);
  for (std::size_t worker = 0; worker < workers; ++worker) {
    std::vector<Task> tasks;
    for (std::size_t step = 0; step < slice.order.size(); ++step) {
      const std::size_t execution = step / slice.sizes.size();
      const std::size_t chunk = slice.order[step] * workers + (worker + execution) % workers;
      tasks.push_back({first + static_cast<std::uint32_t>(chunk), 1});
    }
    lists.push_back(std::make_shared<TaskList>(TaskList{std::move(tasks), finish}));
  }
}

}  // namespace

UnequalSlice greedy_unequal_slice(std::size_t workers, std::vector<double> sizes, double startup_cost,
                                  const Risk& risk) {
  const std::size_t groups = sizes.size();
  UnequalSlice slice{std::move(sizes), {}, 0};
  slice.order.reserve(workers * groups);
  std::vector<std::uint32_t> row(groups);
  std::iota(row.begin(), row.end(), 0U);
  std::vector<double> lost(groups, 1.0);
  double clock = 0;
  for (std::size_t execution = 0; execution < workers; ++execution) {
    for (const std::uint32_t group : row) {
      slice.order.push_back(group);
      clock += slice.sizes[group] + startup_cost;
      lost[group] *= risk.probability(clock);
    }
    std::stable_sort(row.begin(), row.end(), [&](std::uint32_t a, std::uint32_t b) { return lost[a] > lost[b]; });
  }
  for (std::size_t j = 0; j < groups; ++j)
    slice.expected += static_cast<double>(workers) * slice.sizes[j] * (1 - lost[j]);
  return slice;
}

Plan unequal_group_plan(const WorksharingProblem& problem, const Granularity& granularity,
                        const std::map<std::size_t, std::size_t>& groups) {
  std::size_t most = 1;
  for (const auto& [workers, count] : groups) most = std::max(most, count);
  const RiskPtr searched = thinned_out(problem.risk, most);
  std::map<std::size_t, UnequalSlice> slices;  // coteries of one size are alike
  std::vector<double> boundaries = {0};
  std::vector<std::shared_ptr<const TaskList>> lists;
  std::size_t tasks = 0;
  for (const SliceShare& slice : partition(problem).slices) {
    const std::size_t g = slice.workers;
    if (!slices.contains(g))
      slices.emplace(g, best_slice(problem, slice, searched, group_counts(granularity, groups.at(g))));
    tasks += g * slices.at(g).order.size();
    refuse_too_many_tasks(tasks);
    append(slices.at(g), g, problem.startup_cost, boundaries, lists);
  }
  Plan plan;
  plan.chunks = boundaries.size() - 1;
  plan.chunk_size = boundaries.size() > 1 ? boundaries[1] : 0;
  plan.schedule.emplace(std::move(boundaries), std::move(lists));
  plan.expected_work = expected_work(*plan.schedule, problem.risk);
  return plan;
}

}  // namespace coterie::heuristics
