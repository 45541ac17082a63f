#include "heuristics/worksharing/group_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/cancellation.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/partition.hpp"
#include "heuristics/worksharing/unequal_groups.hpp"

namespace coterie::heuristics {
namespace {

/// For each step of the chart: which execution of which group happens there.
struct Execution {
  std::uint32_t execution;
  std::uint32_t group;
};

std::vector<Execution> by_step(const GroupChart& chart) {
  std::vector<Execution> order(chart.steps.size());
  for (std::uint32_t i = 0; i < chart.executions; ++i)
    for (std::uint32_t j = 0; j < chart.groups; ++j) order[chart.at(i, j) - 1] = {i, j};
  return order;
}

/// Adds what a worker of the coterie runs, chunk 0 being piece `first_piece`.
void add_chunks(const std::vector<Execution>& order, std::size_t worker, std::size_t g, std::size_t chunks,
                std::size_t first_piece, TaskLists& lists) {
  for (const auto& [execution, group] : order) {
    const std::size_t turn = worker + execution;
    const std::size_t chunk = group * g + (turn < g ? turn : turn - g);
    if (chunk < chunks) lists.add({static_cast<std::uint32_t>(first_piece + chunk), 1});  // no phantom
  }
}

/// The same, chunk by chunk, where most are phantoms (more workers than chunks).
void add_chunk_by_chunk(const GroupChart& chart, std::size_t worker, std::size_t chunks, std::size_t first_piece,
                        TaskLists& lists) {
  const std::size_t g = chart.executions;
  const auto step_of = [&](const Task& task) {
    const std::size_t chunk = task.first_piece - first_piece;
    return chart.at((chunk % g + g - worker) % g, chunk / g);
  };
  std::vector<Task> all(chunks);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    all[chunk].first_piece = static_cast<std::uint32_t>(first_piece + chunk);
  std::sort(all.begin(), all.end(), [&](const Task& a, const Task& b) { return step_of(a) < step_of(b); });
  for (const Task& task : all) lists.add(task);
}

std::size_t count_chunks(const Partition& shares, const SlicePlans& plans) {
  std::size_t chunks = 0;
  for (const SliceShare& slice : shares.slices) chunks += plans.at(slice.workers).chunking.count();
  return chunks;
}

/// Of all workers together. Throws InputError for too many.
std::size_t count_tasks(const Partition& shares, const SlicePlans& plans) {
  std::size_t tasks = 0;
  for (const SliceShare& slice : shares.slices) {
    tasks += slice.workers * plans.at(slice.workers).chunking.count();
    refuse_too_many_tasks(tasks);
  }
  return tasks;
}

/// What coteries of equal size have in common.
struct Alike {
  Alike(const SlicePlan& plan, double startup_cost)
      : sparse(8 * plan.chunking.count() < plan.chart.steps.size()), times(plan.chunking, startup_cost) {
    if (!sparse) order = by_step(plan.chart);
  }
  bool sparse;
  std::vector<Execution> order;  ///< unless it is sparse
  ListTimes times;
};

/// What auto chooses for a slice.
GranularityChoice choose_count(const WorksharingProblem& problem, const Granularity& granularity,
                               const SliceShare& slice, ChartBuilder chart) {
  const auto choose = [&] {
    SliceObjective objective(slice.workers, slice.size, problem.startup_cost, *problem.risk, chart);
    return choose_slice_chunks(objective, problem, granularity.kind);
  };
  const std::size_t limit = slice_chunk_limit(problem, granularity.kind);
  const SliceCache::Slice alike{problem.risk, slice.workers, slice.size,      problem.startup_cost,
                                limit,        chart,         granularity.kind};
  return count_of(granularity.memory, alike, choose);
}

Chunking chunking_of(const WorksharingProblem& problem, const Granularity& granularity, const SliceShare& slice,
                     ChartBuilder chart, std::size_t& considered) {
  if (granularity.kind == Granularity::Kind::kPerUnit) return Chunking::per_unit(slice.size, granularity.count);
  if (granularity.kind == Granularity::Kind::kPerSlice) return Chunking::equal(slice.size, granularity.count);
  const GranularityChoice choice = choose_count(problem, granularity, slice, chart);
  considered += choice.evaluated;
  return Chunking::equal(slice.size, choice.chunks);
}

}  // namespace

Plan to_plan(const WorksharingProblem& problem, const SlicePlans& plans) {
  const Partition shares = partition(problem);
  const std::size_t tasks = count_tasks(shares, plans);
  Plan plan;
  plan.coteries.reserve(shares.slices.size());
  std::vector<double> boundaries = {0};
  boundaries.reserve(1 + count_chunks(shares, plans));
  TaskLists lists;
  lists.reserve(problem.workers, tasks);
  std::map<std::size_t, Alike> sizes;
  for (const SliceShare& slice : shares.slices) {
    const std::size_t g = slice.workers;
    const SlicePlan& slice_plan = plans.at(g);
    const auto& [chunking, chart] = slice_plan;
    Alike& alike = sizes.try_emplace(g, slice_plan, problem.startup_cost).first->second;
    const std::size_t first_piece = boundaries.size() - 1;
    for (std::size_t i = 1; i <= chunking.count(); ++i) boundaries.push_back(slice.begin + chunking.boundary(i));
    for (std::size_t worker = 0; worker < g; ++worker) {
      if (alike.sparse)
        add_chunk_by_chunk(chart, worker, chunking.count(), first_piece, lists);
      else
        add_chunks(alike.order, worker, g, chunking.count(), first_piece, lists);
      lists.close(alike.times.of(lists.open(), first_piece));
    }
    plan.coteries.push_back(
        {slice.first_worker, g, slice.begin, slice.begin + slice.size, first_piece, chunking, chart});
  }
  plan.chunks = boundaries.size() - 1;
  plan.chunk_size = plan.coteries.front().chunking.size();
  plan.schedule = std::make_shared<const Schedule>(std::move(boundaries), std::move(lists));
  plan.expected_work = expected_work(*plan.schedule, problem.risks());
  return plan;
}

namespace {

SlicePlan slice_plan(const WorksharingProblem& problem, std::size_t g, const Chunking& chunking, ChartBuilder chart) {
  refuse_too_many_tasks(g * chunking.count());
  const std::size_t groups = (chunking.count() + g - 1) / g;
  std::vector<double> risk_at_step;
  risk_of_steps(*problem.risk, chunking, problem.startup_cost, g * groups, risk_at_step);
  return {chunking, chart(g, groups, risk_at_step)};
}

/// All workers are alone, each with a slice of maxsl. [worksharing-2013, Section 5.1 A]
bool more_work_than_can_be_done(const WorksharingProblem& problem) {
  if (problem.coteries > 0 || !std::isfinite(problem.max_slice())) return false;
  const std::vector<SliceShare> slices = partition(problem).slices;
  return slices.size() == problem.workers &&
         problem.work >= static_cast<double>(problem.workers) * problem.max_slice() * (1 - 1e-12);
}

/// Each in the unequal chunks that are best for one worker. Nothing if equal chunks are no worse (for large traces,
/// only part of the durations is searched) or if that search would be too large.
std::optional<Plan> plan_of_lone_workers(const WorksharingProblem& problem, const Granularity& granularity) {
  const GranularityChoice equal = choose_count(problem, granularity, partition(problem).slices.front(), greedy_chart);
  try {
    const UnequalSlicing slicing = lone_worker_slicing(problem, granularity.memory, equal.chunks);
    if (!(slicing.expected > equal.expected * static_cast<double>(problem.workers) * (1 + 1e-13))) return std::nullopt;
    Plan plan = unequal_group_plan(problem, slicing);
    plan.counts_considered = equal.evaluated;
    return plan;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::size_t coteries_that_fit(const WorksharingProblem& problem, const Granularity& granularity) {
  const bool asked = granularity.kind == Granularity::Kind::kAuto && problem.coteries == 0;
  if (!asked || std::isfinite(problem.max_slice())) return 1;
  if (!counts_can_be_searched(problem.local_load(), problem.startup_cost)) return 1;  // who needs a count refuses that
  const std::size_t limit = slice_chunk_limit(problem);
  WorksharingProblem of_one = problem;
  of_one.workers = 1;
  if (limit == slice_chunk_limit(of_one)) return 1;
  const auto expected = [&](std::size_t coteries) {
    double sum = 0;
    std::map<std::size_t, double> known;  // by size of coterie
    for (const SliceShare& slice : partition(with_coteries(problem, coteries)).slices) {
      const auto [of_size, fresh] = known.try_emplace(slice.workers);
      if (fresh) of_size->second = choose_count(problem, granularity, slice, greedy_chart).expected;
      sum += of_size->second;
    }
    return sum;
  };
  std::size_t best = 1;
  double most = expected(1);
  const SliceShare whole = partition(with_coteries(problem, 1)).slices.front();
  SliceObjective objective(whole.workers, whole.size, problem.startup_cost, *problem.risk, greedy_chart);
  if (objective.upper_bound(limit + 1, SliceObjective::kNoEnd) <= most) return 1;
  for (std::size_t coteries = 2; coteries < 2 * problem.workers; coteries *= 2) {
    cancellation_point();
    const std::size_t tried = std::min(coteries, problem.workers);
    if (const double found = expected(tried); found > most) {
      most = found;
      best = tried;
    }
  }
  return best;
}

SlicePlan group_slice(const WorksharingProblem& problem, const Granularity& granularity, const SliceShare& slice,
                      ChartBuilder chart, std::size_t& considered) {
  return slice_plan(problem, slice.workers, chunking_of(problem, granularity, slice, chart, considered), chart);
}

Plan group_plan(const WorksharingProblem& problem, const Granularity& granularity, ChartBuilder chart) {
  if (granularity.kind == Granularity::Kind::kAuto && more_work_than_can_be_done(problem))
    if (auto plan = plan_of_lone_workers(problem, granularity)) return *std::move(plan);
  std::size_t considered = 0;
  SlicePlans plans;
  for (const SliceShare& slice : partition(problem).slices)
    if (!plans.contains(slice.workers))
      plans.emplace(slice.workers, group_slice(problem, granularity, slice, chart, considered));
  Plan plan = to_plan(problem, plans);
  plan.counts_considered = considered;
  return plan;
}

Plan greedy_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  return group_plan(problem, granularity, greedy_chart);
}

SlicePlan greedy_slice(const WorksharingProblem& problem, const SliceShare& slice, std::size_t chunks) {
  return slice_plan(problem, slice.workers, Chunking::equal(slice.size, chunks), greedy_chart);
}

SlicePlans slices_of(const Plan& plan) {
  SlicePlans plans;
  for (const Coterie& coterie : plan.coteries)
    plans.try_emplace(coterie.workers, SlicePlan{coterie.chunking, coterie.chart});
  return plans;
}

std::vector<double> group_weights(const SlicePlan& plan) {
  const std::size_t g = plan.chart.executions;
  std::vector<double> weights(plan.chart.groups, 1.0);
  weights.back() -= static_cast<double>(plan.chart.steps.size() - plan.chunking.count()) / static_cast<double>(g);
  return weights;
}

SlicePlans rechart(const WorksharingProblem& problem, const SlicePlans& plans, WeightedChartBuilder chart,
                   SliceCache* memory) {
  SlicePlans result;
  std::vector<double> risk_at_step;
  for (const auto& [g, plan] : plans) {
    const std::size_t groups = plan.chart.groups;
    risk_of_steps(*problem.risk, plan.chunking, problem.startup_cost, g * groups, risk_at_step);
    const std::vector<double> weights = group_weights(plan);
    result.emplace(
        g, SlicePlan{plan.chunking, memory == nullptr ? chart(g, groups, risk_at_step, weights)
                                                      : memory->chart(chart, g, groups, risk_at_step, weights)});
  }
  return result;
}

}  // namespace coterie::heuristics
