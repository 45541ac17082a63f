#include "heuristics/worksharing/best_plan.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/cancellation.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/charts/chart_catalogue.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/refined_chart.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/brute.hpp"
#include "heuristics/worksharing/cyclic_replication.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/near_optimal_plans.hpp"
#include "heuristics/worksharing/no_replication.hpp"
#include "heuristics/worksharing/overlapping_lists.hpp"
#include "heuristics/worksharing/single_optimal.hpp"
#include "heuristics/worksharing/unequal_groups.hpp"
#include "heuristics/worksharing/worker_exchanges.hpp"

namespace coterie::heuristics {
namespace {

/// Numbers of slices other than the paper's: its neighbours, half as many again or half as many, few large ones, and
/// one worker per slice.
std::set<std::size_t> other_slice_counts(const WorksharingProblem& problem, const ZonePlacement* zones) {
  const std::size_t paper = partition(problem).slices.size();
  std::set<std::size_t> counts = {2, 3, paper / 2, paper + 1, paper + paper / 2, problem.workers};
  if (zones != nullptr)  // one worker of each zone, or two
    for (const std::size_t of_zone : {1u, 2u})
      counts.insert((problem.workers + of_zone * zones->zones().count - 1) / (of_zone * zones->zones().count));
  counts.erase(0);
  if (paper > 1) counts.insert(paper - 1);
  counts.erase(paper);
  counts.erase(counts.upper_bound(problem.workers), counts.end());
  return counts;
}

/// A number of equal chunks of a slice whose expected work no step up or down exceeds: by shrinking factors from
/// `start`, then through its neighbours. Multiples of the number of workers are tried wherever the climb comes by.
class Climb {
 public:
  Climb(SliceObjective& objective, std::size_t limit) : objective_(objective), limit_(limit) {}

  GranularityChoice from(std::size_t start) {
    evaluate(start);
    if (best_ == 0) evaluate(1);  // too many steps at the start
    for (const double factor : {1.4, 1.12, 1.04})
      for (std::size_t at = 0; at != best_;) {
        at = best_;
        evaluate_near(static_cast<double>(at) * factor);
        evaluate_near(static_cast<double>(at) / factor);
      }
    for (std::size_t at = 0; at != best_;) {
      at = best_;
      evaluate(at + 1);
      evaluate(at - 1);
    }
    return {best_, tried_.at(best_), tried_.size()};
  }

 private:
  void evaluate_near(double count) {
    const std::size_t g = objective_.workers();
    const auto n = static_cast<std::size_t>(std::llround(count));
    evaluate(n);
    if (g == 1) return;
    evaluate(n / g * g);
    evaluate((n / g + 1) * g);
  }

  void evaluate(std::size_t n) {
    cancellation_point();
    if (n < 1 || n > limit_ || tried_.contains(n)) return;
    if (steps_ > kMostSteps || objective_.steps(n) > kMostStepsAtOnce) return;
    steps_ += objective_.steps(n);
    const double expected = tried_[n] = objective_.expected(n, best_ == 0 ? -1 : tried_[best_]).work;
    if (best_ == 0 || expected > tried_[best_]) best_ = n;
  }

  SliceObjective& objective_;
  std::size_t limit_;
  std::map<std::size_t, double> tried_;
  std::size_t best_ = 0;
  std::size_t steps_ = 0;
};

/// Slices of one size: coteries of one size are alike.
struct AlikeSlices {
  SliceShare share;
  std::size_t count = 0;
};

std::map<std::size_t, AlikeSlices> alike_slices(const WorksharingProblem& problem) {
  std::map<std::size_t, AlikeSlices> alike;
  for (const SliceShare& slice : partition(problem).slices)
    ++alike.try_emplace(slice.workers, AlikeSlices{slice}).first->second.count;
  return alike;
}

SliceObjective objective_of(const WorksharingProblem& problem, const SliceShare& slice) {
  return {slice.workers, slice.size, problem.startup_cost, *problem.risk, greedy_chart};
}

/// Another number of slices, and the chunk counts climbed to.
struct Slicing {
  WorksharingProblem problem;
  std::map<std::size_t, std::size_t> chunks;  ///< of a slice, by the number of its workers
  double expected = 0;                        ///< by greedy
  std::size_t evaluated = 0;
};

Slicing climb_slicing(const WorksharingProblem& problem, std::size_t slices, double chunk_size, SliceCache* memory) {
  Slicing slicing{with_coteries(problem, slices), {}, 0, 0};
  const std::size_t limit = slice_chunk_limit(problem);
  for (const auto& [workers, alike] : alike_slices(slicing.problem)) {
    const SliceShare& share = alike.share;
    const double wanted = std::round(share.size / chunk_size);
    const auto start = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(limit)));
    const auto climb = [&] {
      SliceObjective objective = objective_of(problem, share);
      return Climb(objective, limit).from(start);
    };
    const GranularityChoice choice = count_of(
        memory,
        {problem.risk, workers, share.size, problem.startup_cost, limit, greedy_chart, Granularity::Kind::kAuto, start},
        climb);
    slicing.chunks[workers] = choice.chunks;
    slicing.evaluated += choice.evaluated;
    slicing.expected += static_cast<double>(alike.count) * choice.expected;
  }
  return slicing;
}

/// Expected work, up to rounding, of equal chunks.
double expected_of(const WorksharingProblem& problem, const SlicePlans& plans) {
  double sum = 0;
  for (const auto& [workers, alike] : alike_slices(problem)) {
    const auto& [chunking, chart] = plans.at(workers);
    sum += static_cast<double>(alike.count) * objective_of(problem, alike.share).expected(chunking.count(), chart);
  }
  return sum;
}

/// What other charts could save at most of what these lose: by the lower bound of a chart's cost, which is exact but
/// for groups that are not complete.
double possible_savings(const WorksharingProblem& problem, const SlicePlans& plans) {
  constexpr double kOfIncomplete = 0.02;  // of what is lost: phantoms can reverse the order of charts
  double sum = 0;
  std::vector<double> risk_at_step;
  for (const auto& [workers, alike] : alike_slices(problem)) {
    const auto& [chunking, chart] = plans.at(workers);
    const std::vector<double> weights = group_weights(plans.at(workers));
    risk_of_steps(*problem.risk, chunking, problem.startup_cost, chart.steps.size(), risk_at_step);
    const double cost = log_chart_cost(chart, risk_at_step, weights);
    if (!std::isfinite(cost)) continue;  // nothing is lost
    const double bound = log_chart_cost_bound(workers, chart.groups, risk_at_step, weights);
    const double lost = alike.share.size - objective_of(problem, alike.share).expected(chunking.count(), chart);
    const double part = -std::expm1(std::min(0.0, bound - cost)) + (weights.back() < 1 ? kOfIncomplete : 0);
    sum += static_cast<double>(alike.count) * lost * part;
  }
  return sum;
}

/// Takes candidates one after another and keeps the best. In zones they are compared by their expected work there,
/// which is never more than without zones if all workers are alike; unlike ones may run the lists in a better order.
class BestSoFar {
 public:
  BestSoFar(const WorksharingProblem& problem, const ZonePlacement* zones)
      : alike_(problem.worker_risks.empty()), zones_(zones) {}
  void consider(Plan candidate) {
    cancellation_point();
    considered_ += candidate.counts_considered;
    const bool bounded = alike_ || zones_ == nullptr;
    if (best_.schedule && bounded && !(candidate.expected_work > expected_)) return;
    const double expected = zones_ == nullptr ? candidate.expected_work : zones_->expected_work(candidate);
    if (best_.schedule && !(expected > expected_)) return;
    best_ = std::move(candidate);
    expected_ = expected;
  }
  /// Whether a candidate is worth writing out; `expected`: up to rounding, if all workers had the problem's risk. If
  /// workers differ, only the plan itself shows it.
  bool promises(double expected) const { return !alike_ || expected > expected_ * (1 + 1e-13); }
  double expected() const { return expected_; }
  const ZonePlacement* zones() const { return zones_; }
  void count(std::size_t evaluated) { considered_ += evaluated; }
  Plan take() {
    best_.counts_considered = considered_;
    return std::move(best_);
  }

 private:
  bool alike_;
  const ZonePlacement* zones_;
  Plan best_;
  double expected_ = 0;
  std::size_t considered_ = 0;
};

/// Greedy's charts and refined ones, for slices of equal chunks.
void consider_slices(BestSoFar& best, const WorksharingProblem& problem, const SlicePlans& greedy, double expected,
                     SliceCache* memory) {
  if (!best.promises(expected + possible_savings(problem, greedy))) return;
  const SlicePlans refined = rechart(problem, greedy, refined_chart, memory);
  const double expected_of_refined = expected_of(problem, refined);
  if (!problem.worker_risks.empty()) {
    best.consider(to_plan(problem, greedy));
    best.consider(to_plan(problem, refined));
  } else if (best.promises(std::max(expected, expected_of_refined)))
    best.consider(to_plan(problem, expected_of_refined > expected ? refined : greedy));
}

/// If the user set the granularity, the last chunk may be smaller.
void consider_set_chunks(BestSoFar& best, PlanCache& cache) {
  for (const std::size_t slices : other_slice_counts(cache.problem(), best.zones())) {
    const WorksharingProblem sliced = with_coteries(cache.problem(), slices);
    Plan greedy = greedy_plan(sliced, cache.granularity());
    const SlicePlans plans = slices_of(greedy);
    if (best.promises(greedy.expected_work + possible_savings(sliced, plans)))
      best.consider(to_plan(sliced, rechart(sliced, plans, refined_chart, cache.granularity().memory)));
    best.consider(std::move(greedy));
  }
}

/// Other numbers of slices, the most promising first: the others must beat what its refinement gives.
void consider_other_slices(BestSoFar& best, PlanCache& cache) {
  const WorksharingProblem& problem = cache.problem();
  const double chunk_size = cache.get(alone<greedy_plan>).chunk_size;
  std::vector<Slicing> slicings;
  for (const std::size_t slices : other_slice_counts(problem, best.zones())) {
    slicings.push_back(climb_slicing(problem, slices, chunk_size, cache.granularity().memory));
    best.count(slicings.back().evaluated);
  }
  std::stable_sort(slicings.begin(), slicings.end(),
                   [](const Slicing& a, const Slicing& b) { return a.expected > b.expected; });
  for (const Slicing& slicing : slicings) {
    SlicePlans greedy;
    for (const auto& [workers, alike] : alike_slices(slicing.problem))
      greedy.emplace(workers, greedy_slice(problem, alike.share, slicing.chunks.at(workers)));
    consider_slices(best, slicing.problem, greedy, slicing.expected, cache.granularity().memory);
  }
}

/// Chunks of sizes that follow the risk: in greedy's slices, and without replication.
void consider_unequal_chunks(BestSoFar& best, PlanCache& cache) {
  const WorksharingProblem& problem = cache.problem();
  std::map<std::size_t, std::map<std::size_t, std::size_t>> groups;
  for (const Coterie& coterie : cache.get(alone<greedy_plan>).coteries)
    groups[problem.coteries][coterie.workers] = coterie.chart.groups;
  if (problem.coteries == 0) {
    const std::size_t chunks = cache.get(alone<no_replication_plan>).chunks;
    groups[problem.workers] = {{1, (chunks + problem.workers - 1) / problem.workers}};
  }
  try {
    for (const UnequalSlicing& slicing : unequal_slicings(problem, cache.granularity(), groups))
      if (best.promises(slicing.expected)) best.consider(unequal_group_plan(problem, slicing));
  } catch (const InputError&) {
    // The search for the best chunks of one worker would be too large: fewer candidates.
  }
}

/// No schedule that gives each worker W/p of its own does more: what is at w units of it is done at w + eps at the
/// earliest. Proven for any risk, as a sum of rectangles.
double bound_without_replication(const WorksharingProblem& problem) {
  constexpr int kRectangles = 300;
  const double width = share_of(problem.work, 1, problem.workers) / kRectangles;
  double sum = 0;
  double of_one = 0;
  const Risk* known = nullptr;  // neighbours often have one risk
  for (const RiskPtr& risk : problem.risks()) {
    if (risk.get() != known) {
      known = risk.get();
      of_one = 0;
      for (int i = 0; i < kRectangles; ++i) of_one += width * (1 - risk->probability(i * width + problem.startup_cost));
    }
    sum += of_one;
  }
  return sum * static_cast<double>(problem.workers) / static_cast<double>(problem.risks().size()) * (1 + 1e-12);
}

/// Without replication, if that may be better.
void consider_single_optimal(BestSoFar& best, PlanCache& cache) {
  if (bound_without_replication(cache.problem()) <= best.expected()) return;
  try {
    best.consider(cache.get(alone<single_near_optimal_plan>));
  } catch (const InputError&) {  // without a best number of chunks, or none that can be searched for
  }
}

/// The lists that are best by the ceiling. They cut work into many unequal pieces, which must be worth it.
void consider_overlapping_lists(BestSoFar& best, PlanCache& cache) {
  constexpr double kWorthIt = 1.01;
  const WorksharingProblem& problem = cache.problem();
  SliceCache own;
  SliceCache& memory = cache.granularity().memory == nullptr ? own : *cache.granularity().memory;
  const StaticCeiling ceiling = least_static_ceiling(problem, memory);
  if (!(ceiling.value > best.expected() * kWorthIt)) return;
  std::optional<Plan> plan = overlapping_lists_plan(problem, ceiling.tangent, memory);
  if (plan && plan->expected_work > best.expected() * kWorthIt) best.consider(*std::move(plan));
}

/// The hybrid of two workers, if it has an answer.
void consider_two_workers(BestSoFar& best, PlanCache& cache) {
  try {
    const Plan& hybrid = cache.get(alone<two_workers_plan>);
    if (best.promises(hybrid.expected_work)) best.consider(hybrid);
  } catch (const InputError&) {  // without a start-up cost there is no best number of chunks
  }
}

/// For workers that differ: lists and places of chunks exchanged between them; in zones where that is better there.
Plan fitted_to_workers(const WorksharingProblem& problem, Plan plan, const ZonePlacement* zones) {
  if (problem.worker_risks.empty()) return plan;
  Plan fitted = plan;
  fitted.schedule = std::make_shared<const Schedule>(with_exchanges(*plan.schedule, problem.risks()));
  fitted.expected_work = expected_work(*fitted.schedule, problem.risks());
  fitted.coteries.clear();  // neighbours are no longer of one coterie, nor charts what they were
  const auto worth = [&](const Plan& one) { return zones == nullptr ? one.expected_work : zones->expected_work(one); };
  return worth(fitted) > worth(plan) ? fitted : plan;
}

/// The plan that the cache's judge finds best: the one found, or one of those that it must not be below.
Plan judged(PlanCache& cache, Plan found) {
  if (!cache.judge()) return found;
  const Plan* const plans[] = {&found, &cache.get(refined_plan), &cache.get(alone<no_replication_plan>),
                               &cache.get(alone<cyclic_replication_plan>), &cache.get(alone<brute_plan>)};
  const std::size_t winner = cache.judge()(plans);
  if (winner == 0) return found;
  Plan plan = *plans[winner];
  plan.counts_considered = found.counts_considered;
  return plan;
}

/// In the distinct lists, which take the memory.
std::size_t listed_tasks(const Schedule& schedule) {
  std::size_t sum = 0;
  for (std::size_t list = 0; list < schedule.lists().size(); ++list) sum += schedule.lists()[list].tasks.size();
  return sum;
}

/// `zones`: by which candidates are compared, or null.
Plan searched_plan(PlanCache& cache, const ZonePlacement* zones) {
  using Kind = Granularity::Kind;
  const WorksharingProblem& problem = cache.problem();
  BestSoFar best(problem, zones);
  best.consider(cache.get(refined_plan));  // never below the group schedules
  if (listed_tasks(*cache.get(refined_plan).schedule) > kMostTasksToSearch && !cache.judge()) {
    // One at a time, and none kept.
    for (const auto plan : {no_replication_plan, cyclic_replication_plan, brute_plan})
      best.consider(plan(problem, cache.granularity()));
    return fitted_to_workers(problem, best.take(), zones);
  }
  best.consider(cache.get(alone<no_replication_plan>));
  best.consider(cache.get(alone<cyclic_replication_plan>));
  best.consider(cache.get(alone<brute_plan>));
  if (zones != nullptr)  // where the best of them need not be what refined starts from
    for (const NamedChart& row : paper_charts()) best.consider(group_plan(problem, cache.granularity(), row.build));
  consider_unequal_chunks(best, cache);
  if (problem.coteries == 0) {
    const Kind kind = cache.granularity().kind;
    if (kind == Kind::kPerUnit || kind == Kind::kPerSlice) {
      consider_set_chunks(best, cache);
    } else {
      consider_other_slices(best, cache);
    }
  }
  consider_single_optimal(best, cache);
  const bool searched = cache.granularity().kind == Kind::kAuto || cache.granularity().kind == Kind::kAutoPaper;
  if (searched && problem.coteries == 0 && problem.lambda >= 1) consider_overlapping_lists(best, cache);
  if (problem.workers == 2) consider_two_workers(best, cache);
  return judged(cache, fitted_to_workers(problem, best.take(), zones));
}

Plan plan_without_zones(PlanCache& cache) { return searched_plan(cache, nullptr); }

}  // namespace

Plan best_plan(PlanCache& cache) {
  const ZonePlacement* const zones = cache.known_zones();
  if (zones == nullptr) return plan_without_zones(cache);
  const Plan& independent = cache.get(plan_without_zones);
  const double expected = zones->expected_work(independent);
  const bool alike = cache.problem().worker_risks.empty();
  if (alike && expected >= independent.expected_work * (1 - 1e-12)) return independent;  // zones cost nothing here
  Plan plan = searched_plan(cache, zones);
  plan.counts_considered += independent.counts_considered;
  return zones->expected_work(plan) > expected ? plan : independent;
}

}  // namespace coterie::heuristics
