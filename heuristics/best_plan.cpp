#include "heuristics/best_plan.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "heuristics/cyclic_replication.hpp"
#include "heuristics/group_schedule.hpp"
#include "heuristics/near_optimal_plans.hpp"
#include "heuristics/no_replication.hpp"
#include "heuristics/partition.hpp"
#include "heuristics/refined_chart.hpp"
#include "heuristics/unequal_groups.hpp"

namespace coterie::heuristics {
namespace {

using Counts = std::map<std::size_t, std::size_t>;  ///< chunks of a slice, by the number of its workers

/// The paper's number of slices apart: its neighbours, half as many again, and one worker a slice.
std::set<std::size_t> other_slice_counts(const WorksharingProblem& problem) {
  const std::size_t paper = partition(problem).slices.size();
  std::set<std::size_t> counts = {paper + 1, paper + paper / 2, problem.workers};
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

  void from(std::size_t start) {
    evaluate(start);
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
  }

  std::size_t best() const { return best_; }
  double expected() const { return tried_.at(best_); }
  std::size_t evaluated() const { return tried_.size(); }

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
    if (n < 1 || n > limit_ || tried_.contains(n)) return;
    const double expected = tried_[n] = objective_.expected(n);
    if (best_ == 0 || expected > tried_[best_]) best_ = n;
  }

  SliceObjective& objective_;
  std::size_t limit_;
  std::map<std::size_t, double> tried_;
  std::size_t best_ = 0;
};

/// Another number of slices, the chunk counts climbed to, and what greedy expects of them.
struct Slicing {
  WorksharingProblem problem;
  Counts counts;
  double expected = 0;
  double lost = 0;
  std::size_t evaluated = 0;
};

Slicing climb_slicing(const WorksharingProblem& problem, std::size_t slices, double chunk_size) {
  Slicing slicing{problem, {}, 0, 0, 0};
  slicing.problem.coteries = slices;
  const Partition shares = partition(slicing.problem);
  const std::size_t limit = granularity_limit(problem.local_load(), problem.startup_cost);
  std::map<std::size_t, double> expected;
  for (const SliceShare& slice : shares.slices) {
    if (!expected.contains(slice.workers)) {
      SliceObjective objective(slice.workers, slice.size, problem.startup_cost, *problem.risk, greedy_chart);
      Climb climb(objective, limit);
      const double wanted = std::round(slice.size / chunk_size);
      climb.from(static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(limit))));
      slicing.counts[slice.workers] = climb.best();
      slicing.evaluated += climb.evaluated();
      expected[slice.workers] = climb.expected();
    }
    slicing.expected += expected[slice.workers];
  }
  slicing.lost = shares.deployed_work - slicing.expected;
  return slicing;
}

/// The candidates one after the other; the best so far is kept.
class BestSoFar {
 public:
  void consider(Plan candidate) {
    considered_ += candidate.counts_considered;
    if (!best_.schedule || candidate.expected_work > best_.expected_work) best_ = std::move(candidate);
  }
  /// Refining takes a few per cent off what greedy loses: whether that can be enough.
  bool can_gain(double expected, double lost) const { return expected + 0.1 * lost > best_.expected_work; }
  void count(std::size_t evaluated) { considered_ += evaluated; }
  Plan take() {
    best_.counts_considered = considered_;
    return std::move(best_);
  }

 private:
  Plan best_;
  std::size_t considered_ = 0;
};

void consider_refined(BestSoFar& best, const WorksharingProblem& problem, Plan greedy) {
  Plan refined = rechart(problem, greedy, refined_chart);
  refined.counts_considered = 0;  // greedy's, counted once
  best.consider(std::move(refined));
  best.consider(std::move(greedy));
}

/// Other numbers of slices, the most promising first: the others must beat what its refinement gives.
void consider_other_slices(BestSoFar& best, PlanBook& book) {
  const WorksharingProblem& problem = book.problem();
  const Granularity::Kind kind = book.granularity().kind;
  if (kind == Granularity::Kind::kPerUnit || kind == Granularity::Kind::kPerSlice) {
    for (const std::size_t slices : other_slice_counts(problem)) {
      WorksharingProblem sliced = problem;
      sliced.coteries = slices;
      Plan greedy = greedy_plan(sliced, book.granularity());
      if (best.can_gain(greedy.expected_work, greedy.schedule->deployed_work() - greedy.expected_work))
        consider_refined(best, sliced, std::move(greedy));
    }
    return;
  }
  const double chunk_size = book.get(alone<greedy_plan>).chunk_size;
  std::vector<Slicing> slicings;
  for (const std::size_t slices : other_slice_counts(problem)) {
    slicings.push_back(climb_slicing(problem, slices, chunk_size));
    best.count(slicings.back().evaluated);
  }
  std::stable_sort(slicings.begin(), slicings.end(),
                   [](const Slicing& a, const Slicing& b) { return a.expected > b.expected; });
  for (const Slicing& slicing : slicings)
    if (best.can_gain(slicing.expected, slicing.lost))
      consider_refined(best, slicing.problem, greedy_plan(slicing.problem, slicing.counts));
}

/// Chunks of sizes that follow the risk: in greedy's slices, and without replication.
void consider_unequal_chunks(BestSoFar& best, PlanBook& book) {
  const WorksharingProblem& problem = book.problem();
  try {
    Counts groups;
    for (const Coterie& coterie : book.get(alone<greedy_plan>).coteries) groups[coterie.workers] = coterie.chart.groups;
    best.consider(unequal_group_plan(problem, book.granularity(), groups));
    if (problem.coteries > 0) return;
    WorksharingProblem apart = problem;
    apart.coteries = problem.workers;
    const std::size_t chunks = book.get(alone<no_replication_plan>).chunks;
    best.consider(
        unequal_group_plan(apart, book.granularity(), {{1, (chunks + problem.workers - 1) / problem.workers}}));
  } catch (const InputError&) {
    // The search for the best chunks of one worker would be too large: candidates fewer.
  }
}

}  // namespace

Plan best_plan(PlanBook& book) {
  BestSoFar best;
  best.consider(book.get(refined_plan));  // never below greedy
  best.consider(book.get(alone<no_replication_plan>));
  best.consider(book.get(alone<cyclic_replication_plan>));
  consider_unequal_chunks(best, book);
  if (book.problem().coteries == 0) consider_other_slices(best, book);
  return best.take();
}

}  // namespace coterie::heuristics
