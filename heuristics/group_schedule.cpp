#include "heuristics/group_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "heuristics/partition.hpp"

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

std::vector<std::size_t> chunk_order(const std::vector<Execution>& order, std::size_t worker, std::size_t g,
                                     std::size_t chunks) {
  std::vector<std::size_t> result;
  result.reserve(chunks);
  for (const auto& [execution, group] : order) {
    const std::size_t chunk = group * g + (worker + execution) % g;
    if (chunk < chunks) result.push_back(chunk);  // the others are phantoms
  }
  return result;
}

/// The same, chunk by chunk, where most are phantoms (more workers than chunks).
std::vector<std::size_t> chunk_order_by_chunk(const GroupChart& chart, std::size_t worker, std::size_t chunks) {
  const std::size_t g = chart.executions;
  const auto step_of = [&](std::size_t chunk) { return chart.at((chunk % g + g - worker) % g, chunk / g); };
  std::vector<std::size_t> result(chunks);
  std::iota(result.begin(), result.end(), std::size_t{0});
  std::sort(result.begin(), result.end(), [&](std::size_t a, std::size_t b) { return step_of(a) < step_of(b); });
  return result;
}

/// risk[s - 1] = Pr(s (omega + eps)) for s = 1..count.
void risk_of_steps(const Risk& risk, const Chunking& chunking, double startup_cost, std::size_t count,
                   std::vector<double>& values) {
  values.resize(count);
  for (std::size_t s = 1; s <= count; ++s)
    values[s - 1] = chunking.elapsed(s, false) + static_cast<double>(s) * startup_cost;
  risk.probabilities(values, values);
}

Chunking chunking_of(const WorksharingProblem& problem, const Granularity& granularity, const SliceShare& slice,
                     ChartBuilder chart, std::size_t& considered) {
  if (granularity.kind == Granularity::Kind::kPerUnit) return Chunking::per_unit(slice.size, granularity.count);
  if (granularity.kind == Granularity::Kind::kPerSlice) return Chunking::equal(slice.size, granularity.count);
  SliceObjective objective(slice.workers, slice.size, problem.startup_cost, *problem.risk, chart);
  const GranularityChoice choice = choose_slice_chunks(objective, problem, granularity.kind);
  considered += choice.evaluated;
  return Chunking::equal(slice.size, choice.chunks);
}

}  // namespace

/// A product of risks below this adds nothing to a sum of work, and further factors make it no greater.
constexpr double kNothing = 1e-20;

double SliceObjective::expected(std::size_t chunks) {
  const std::size_t g = workers_;
  const std::size_t groups = (chunks + g - 1) / g;
  risk_of_steps(risk_, Chunking::equal(slice_, chunks), startup_cost_, g * groups, risk_at_step_);
  return slice_ * (1 - mean_lost(chart_(g, groups, risk_at_step_), g * groups - chunks));
}

double SliceObjective::product_of_column(const GroupChart& chart, std::size_t group) const {
  double product = 1;
  for (std::size_t i = 0; i < chart.executions && product > kNothing; ++i)
    product *= risk_at_step_[chart.at(i, group) - 1];
  return product;
}

double SliceObjective::mean_lost(const GroupChart& chart, std::size_t phantoms) const {
  const std::size_t g = chart.executions;
  const std::size_t m = chart.groups;
  double sum = 0;
  for (std::size_t j = 0; j < (phantoms == 0 ? m : 0); ++j) sum += product_of_column(chart, j);
  if (phantoms == 0) return sum / static_cast<double>(m);
  // Phantoms are the last chunks of the last group. A worker that has passed k of them runs k steps ahead of the chart:
  // before[x] counts phantoms among the chunk positions 0..x-1, twice around.
  std::vector<std::size_t> before(2 * g + 1, 0);
  for (std::size_t x = 0; x < 2 * g; ++x) before[x + 1] = before[x] + (x % g >= g - phantoms ? 1 : 0);
  std::vector<std::size_t> passed(g);
  for (std::size_t j = 0; j < m; ++j) {
    if (product_of_column(chart, j) <= kNothing) continue;  // skipping phantoms makes it less still
    for (std::size_t i = 0; i < g; ++i) {
      std::size_t count = j + 1 == m ? i : (i > 0 ? passed[i - 1] : 0);
      if (j + 1 < m)
        while (count < g && chart.at(count, m - 1) < chart.at(i, j)) ++count;
      passed[i] = count;  // executions of the last group before this one
    }
    const std::size_t chunks = j + 1 == m ? g - phantoms : g;
    for (std::size_t q = 0; q < chunks; ++q) {
      double product = 1;
      for (std::size_t i = 0; i < g && product > kNothing; ++i) {
        const std::size_t start = (q + g - i) % g;  // the worker, and where it began in the last group
        product *= risk_at_step_[chart.at(i, j) - 1 - (before[start + passed[i]] - before[start])];
      }
      sum += product;
    }
  }
  return sum / static_cast<double>(g * m - phantoms);
}

double SliceObjective::upper_bound(std::size_t first, std::size_t last) const {
  const double d = step(last);
  const auto risk_at = [&](std::size_t s) { return risk_.probability(static_cast<double>(s) * d); };
  if (workers_ == 1) return slice_ * (1 - lower_mean(first, risk_at));
  const std::size_t safe = steps_without_risk(risk_, d);
  const std::size_t at_risk = first > safe * workers_ ? first - safe * workers_ : 0;
  return slice_ * (1 - lower_mean_of_products(first, workers_, safe + at_risk, safe, risk_at));
}

GranularityChoice choose_slice_chunks(SliceObjective& objective, const WorksharingProblem& problem,
                                      Granularity::Kind kind) {
  // No more than can be held in memory: each worker of a coterie runs all of its chunks.
  constexpr std::size_t kMostTasks = 20'000'000;
  const std::size_t limit = std::min(granularity_limit(problem.local_load(), problem.startup_cost),
                                     std::max<std::size_t>(1, kMostTasks / problem.workers));
  const auto expected = [&](std::size_t n) { return objective.expected(n); };
  if (kind == Granularity::Kind::kAutoPaper) return binary_search_granularity(limit, expected);
  return best_granularity(limit, {expected, objective.slice(), objective.workers(), shape_under(*problem.risk)});
}

namespace {

/// One slice for each size of coterie, cut into chunks and put in order: coteries of one size are alike.
struct SlicePlan {
  Chunking chunking;
  GroupChart chart;
};

Plan assemble(const WorksharingProblem& problem, const Partition& shares,
              const std::map<std::size_t, SlicePlan>& plans) {
  Plan plan;
  std::vector<double> boundaries = {0};
  std::vector<std::shared_ptr<const TaskList>> lists;
  std::map<std::size_t, std::shared_ptr<const TaskList>> timed;  // the first list of each size of coterie
  std::size_t tasks = 0;
  for (const SliceShare& slice : shares.slices) {
    const std::size_t g = slice.workers;
    const auto& [chunking, chart] = plans.at(g);
    tasks += g * chunking.count();
    refuse_too_many_tasks(tasks);
    const std::size_t first_piece = boundaries.size() - 1;
    for (std::size_t i = 1; i <= chunking.count(); ++i) boundaries.push_back(slice.begin + chunking.boundary(i));
    const bool sparse = 8 * chunking.count() < chart.steps.size();
    const auto order = sparse ? std::vector<Execution>() : by_step(chart);
    for (std::size_t worker = 0; worker < g; ++worker) {
      const auto chunks = sparse ? chunk_order_by_chunk(chart, worker, chunking.count())
                                 : chunk_order(order, worker, g, chunking.count());
      std::shared_ptr<const TaskList>& first = timed[g];
      lists.push_back(
          std::make_shared<TaskList>(chunking.tasks(chunks, problem.startup_cost, first_piece, first.get())));
      if (!first) first = lists.back();
    }
    plan.coteries.push_back(
        {slice.first_worker, g, slice.begin, slice.begin + slice.size, first_piece, chunking, chart});
  }
  plan.chunks = boundaries.size() - 1;
  plan.chunk_size = plan.coteries.front().chunking.size();
  plan.schedule.emplace(std::move(boundaries), std::move(lists));
  plan.expected_work = expected_work(*plan.schedule, problem.risk);
  return plan;
}

std::size_t groups_of(const Chunking& chunking, std::size_t g) { return (chunking.count() + g - 1) / g; }

/// `chunking_of_slice`: SliceShare -> Chunking, asked once for each size of coterie.
template <typename Function>
Plan build_plan(const WorksharingProblem& problem, ChartBuilder chart, const Function& chunking_of_slice) {
  const Partition shares = partition(problem);
  std::map<std::size_t, SlicePlan> plans;
  std::vector<double> risk_at_step;
  for (const SliceShare& slice : shares.slices) {
    const std::size_t g = slice.workers;
    if (plans.contains(g)) continue;
    const Chunking chunking = chunking_of_slice(slice);
    refuse_too_many_tasks(g * chunking.count());
    const std::size_t groups = groups_of(chunking, g);
    risk_of_steps(*problem.risk, chunking, problem.startup_cost, g * groups, risk_at_step);
    plans.emplace(g, SlicePlan{chunking, chart(g, groups, risk_at_step)});
  }
  return assemble(problem, shares, plans);
}

}  // namespace

Plan group_plan(const WorksharingProblem& problem, const Granularity& granularity, ChartBuilder chart) {
  std::size_t considered = 0;
  Plan plan = build_plan(problem, chart, [&](const SliceShare& slice) {
    return chunking_of(problem, granularity, slice, chart, considered);
  });
  plan.counts_considered = considered;
  return plan;
}

Plan greedy_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  return group_plan(problem, granularity, greedy_chart);
}

Plan greedy_plan(const WorksharingProblem& problem, const std::map<std::size_t, std::size_t>& counts) {
  return build_plan(problem, greedy_chart,
                    [&](const SliceShare& slice) { return Chunking::equal(slice.size, counts.at(slice.workers)); });
}

Plan rechart(const WorksharingProblem& problem, const Plan& plan, WeightedChartBuilder chart) {
  std::map<std::size_t, SlicePlan> plans;
  std::vector<double> risk_at_step;
  for (const Coterie& coterie : plan.coteries) {
    const std::size_t g = coterie.workers;
    if (plans.contains(g)) continue;
    const std::size_t groups = groups_of(coterie.chunking, g);
    risk_of_steps(*problem.risk, coterie.chunking, problem.startup_cost, g * groups, risk_at_step);
    std::vector<double> weights(groups, 1.0);
    weights.back() -= static_cast<double>(g * groups - coterie.chunking.count()) / static_cast<double>(g);
    plans.emplace(g, SlicePlan{coterie.chunking, chart(g, groups, risk_at_step, weights)});
  }
  Plan result = assemble(problem, partition(problem), plans);
  result.counts_considered = plan.counts_considered;
  return result;
}

}  // namespace coterie::heuristics
