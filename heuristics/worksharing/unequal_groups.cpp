#include "heuristics/worksharing/unequal_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "core/cancellation.hpp"
#include "core/empirical_risk.hpp"
#include "heuristics/chunks/chunk_search.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/partition.hpp"

namespace coterie::heuristics {
namespace {

double total(const std::vector<double>& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0.0); }

constexpr std::size_t kLeastHalf = 250;

/// Searching is quadratic in the jumps of a trace: where there are many more, only so many are kept in each of two
/// ways, evenly spaced in probability and in time. They are observed times, where chunks should end.
RiskPtr thinned_out(const RiskPtr& risk, std::size_t half) {
  const EmpiricalRisk* trace = risk->steps();
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
  StepLaw law;
  double before = 0;
  for (const std::size_t i : kept) law.add(jumps[i], cumulative[i] - std::exchange(before, cumulative[i]));
  return std::make_shared<EmpiricalRisk>(std::move(law), risk->text());
}

/// Numbers of groups to try, at most, where about `groups` are expected.
std::set<std::size_t> group_counts(const Granularity& granularity, std::size_t groups) {
  if (granularity.kind == Granularity::Kind::kPerUnit || granularity.kind == Granularity::Kind::kPerSlice)
    return {groups};
  const auto scaled = [&](double factor) {
    return static_cast<std::size_t>(std::max(1.0, std::round(factor * static_cast<double>(groups))));
  };
  return {scaled(0.5), scaled(0.7), groups, scaled(1.4)};
}

using ChunkSizes = SliceCache::ChunkSizes;

/// Chunk sizes for one worker's share, for each bound on their number.
std::vector<ChunkSizes> sizes_of_share(const SliceCache::Share& share) {
  constexpr std::size_t kPatience = 12;
  std::vector<ChunkSizes> candidates;
  const RiskPtr searched = thinned_out(share.risk, share.half);
  if (const EmpiricalRisk* trace = searched->steps()) {
    const EmpiricalRisk& whole = *share.risk->steps();
    const std::vector<std::int64_t> chunks(share.bounds.begin(), share.bounds.end());
    for (ChunkPlan& plan : best_chunks(share.size, chunks, share.startup_cost, *trace, kPatience)) {
      candidates.push_back(settled(plan, share.size, share.startup_cost, whole).sizes);
      candidates.push_back(std::move(plan.sizes));
    }
  } else {
    for (const std::size_t bound : share.bounds)
      candidates.push_back(
          optimal_chunks({share.size, static_cast<std::int64_t>(bound), share.startup_cost, searched}).chunk_sizes);
  }
  // Many bounds have the same best.
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  return candidates;
}

/// How many jumps of a large trace are kept in each of two ways: a few for each chunk.
std::size_t half_for(std::size_t chunks) { return std::clamp<std::size_t>(4 * chunks, kLeastHalf, 600); }

std::vector<ChunkSizes> candidates_of(const SliceCache::Share& share, SliceCache* memory) {
  const auto find = [&] { return sizes_of_share(share); };
  return memory == nullptr ? find() : memory->sizes(share, find);
}

UnequalSlice best_slice(const WorksharingProblem& problem, std::size_t workers, double share,
                        const std::vector<ChunkSizes>& candidates) {
  UnequalSlice best;
  const auto consider = [&](std::vector<double> sizes) {
    UnequalSlice one = greedy_unequal_slice(workers, std::move(sizes), problem.startup_cost, *problem.risk);
    if (one.expected > best.expected) best = std::move(one);
  };
  for (std::vector<double> sizes : candidates) {
    if (sizes.empty()) continue;
    const double stretch = share / total(sizes);
    consider(sizes);
    if (stretch <= 1 + 1e-12) continue;
    for (double& size : sizes) size *= stretch;
    consider(std::move(sizes));
  }
  return best;
}

/// When chunks that are run back to back end, the start-up cost before each; with hardly any rounding.
class Clock {
 public:
  explicit Clock(double startup_cost) : startup_cost_(startup_cost) {}
  double after(double size) { return static_cast<double>(time_ += static_cast<long double>(size) + startup_cost_); }

 private:
  long double time_ = 0;
  double startup_cost_;
};

/// Appends the pieces of a coterie and its workers' lists.
void append(const UnequalSlice& slice, std::size_t workers, double startup_cost, std::vector<double>& boundaries,
            TaskLists& lists) {
  const std::size_t groups = slice.sizes.size();
  const std::size_t first = boundaries.size() - 1;
  for (const double size : slice.sizes)
    for (std::size_t q = 0; q < workers; ++q) boundaries.push_back(boundaries.back() + size);
  std::vector<double> times(slice.order.size());
  Clock clock(startup_cost);
  for (std::size_t step = 0; step < times.size(); ++step) times[step] = clock.after(slice.sizes[slice.order[step]]);
  const FinishTimes finish(std::move(times));
  for (std::size_t worker = 0; worker < workers; ++worker) {
    for (std::size_t execution = 0, step = 0; execution < workers; ++execution) {
      const std::size_t turn = first + (worker + execution) % workers;
      for (const std::size_t end = step + groups; step < end; ++step)
        lists.add({static_cast<std::uint32_t>(turn + slice.order[step] * workers), 1});
    }
    lists.close(finish);
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
  Clock clock(startup_cost);
  for (std::size_t execution = 0; execution < workers; ++execution) {
    cancellation_point();
    for (const std::uint32_t group : row) {
      slice.order.push_back(group);
      lost[group] *= risk.probability(clock.after(slice.sizes[group]));
    }
    std::stable_sort(row.begin(), row.end(), [&](std::uint32_t a, std::uint32_t b) { return lost[a] > lost[b]; });
  }
  for (std::size_t j = 0; j < groups; ++j)
    slice.expected += static_cast<double>(workers) * slice.sizes[j] * (1 - lost[j]);
  return slice;
}

std::vector<UnequalSlicing> unequal_slicings(const WorksharingProblem& problem, const Granularity& granularity,
                                             const std::map<std::size_t, std::map<std::size_t, std::size_t>>& groups) {
  std::map<std::size_t, std::set<std::size_t>> bounds;  // by the jumps kept of a large trace
  for (const auto& [coteries, by_workers] : groups) {
    std::size_t most = 1;
    for (const auto& [workers, count] : by_workers) most = std::max(most, count);
    for (const auto& [workers, count] : by_workers) bounds[half_for(most)].merge(group_counts(granularity, count));
  }
  const double share = partition(problem).deployed_work / static_cast<double>(problem.workers);
  std::vector<ChunkSizes> candidates;
  for (const auto& [half, counts] : bounds) {
    const SliceCache::Share alike{problem.risk, share, problem.startup_cost, half, {counts.begin(), counts.end()}};
    const auto found = candidates_of(alike, granularity.memory);
    candidates.insert(candidates.end(), found.begin(), found.end());
  }
  std::vector<UnequalSlicing> slicings;
  for (const auto& [coteries, by_workers] : groups) {
    UnequalSlicing slicing{coteries, {}, 0};
    for (const SliceShare& slice : partition(with_coteries(problem, coteries)).slices) {
      const std::size_t g = slice.workers;
      if (!slicing.slices.contains(g)) slicing.slices.emplace(g, best_slice(problem, g, share, candidates));
      slicing.expected += slicing.slices.at(g).expected;
    }
    slicings.push_back(std::move(slicing));
  }
  return slicings;
}

UnequalSlicing lone_worker_slicing(const WorksharingProblem& problem, SliceCache* memory, std::size_t chunks) {
  constexpr std::size_t kAsManyAsGain = std::size_t{1} << 40;
  const double share = partition(with_coteries(problem, problem.workers)).slices.front().size;
  const auto candidates =
      candidates_of({problem.risk, share, problem.startup_cost, half_for(chunks), {kAsManyAsGain}}, memory);
  UnequalSlicing slicing{problem.workers, {}, 0};
  const UnequalSlice& slice = slicing.slices.emplace(1, best_slice(problem, 1, share, candidates)).first->second;
  slicing.expected = static_cast<double>(problem.workers) * slice.expected;
  return slicing;
}

Plan unequal_group_plan(const WorksharingProblem& problem, const UnequalSlicing& slicing) {
  std::vector<double> boundaries = {0};
  const Partition shares = partition(with_coteries(problem, slicing.coteries));
  std::size_t tasks = 0;
  for (const SliceShare& share : shares.slices) {
    tasks += share.workers * slicing.slices.at(share.workers).order.size();
    refuse_too_many_tasks(tasks);
  }
  TaskLists lists;
  lists.reserve(problem.workers, tasks);
  for (const SliceShare& share : shares.slices)
    append(slicing.slices.at(share.workers), share.workers, problem.startup_cost, boundaries, lists);
  Plan plan;
  plan.chunks = boundaries.size() - 1;
  plan.chunk_size = boundaries.size() > 1 ? boundaries[1] : 0;
  plan.schedule = std::make_shared<const Schedule>(std::move(boundaries), std::move(lists));
  plan.expected_work = expected_work(*plan.schedule, problem.risks());
  return plan;
}

}  // namespace coterie::heuristics
