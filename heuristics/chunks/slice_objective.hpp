#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/vector_loops.hpp"
#include "heuristics/charts/group_chart.hpp"
#include "heuristics/chunks/chunking.hpp"
#include "heuristics/chunks/granularity.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// risk[s - 1] = Pr(s (omega + eps)) for the steps s = 1..count of a worker that runs chunks of one size.
void risk_of_steps(const Risk& risk, const Chunking& chunking, double startup_cost, std::size_t count,
                   std::vector<double>& values);

/// Exact expected work of one coterie of `workers` on a slice cut into n equal chunks: the fast twin of building the
/// schedule and asking core's expected_work.
class SliceObjective {
 public:
  SliceObjective(std::size_t workers, double slice, double startup_cost, const Risk& risk, ChartBuilder chart)
      : workers_(workers), slice_(slice), startup_cost_(startup_cost), risk_(risk), chart_(chart) {}

  std::size_t workers() const { return workers_; }
  double slice() const { return slice_; }
  double expected(std::size_t chunks) { return expected(chunks, -1).work; }
  /// The same, or an upper bound that is at most `enough`.
  WorkEstimate expected(std::size_t chunks, double enough);
  /// The cost of computing it: with an incomplete group, each chunk has to examine every worker.
  std::size_t steps(std::size_t chunks) const {
    return chunks % workers_ == 0 ? chunks : workers_ + chunks * std::min(chunks, workers_);
  }
  /// The expected work with the order of another chart.
  double expected(std::size_t chunks, const GroupChart& chart);
  static constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();
  /// >= expected(n) for every n in [first, last], whatever the chart: no time is later than with n = last (for kNoEnd:
  /// than the start-up costs alone), no slice longer than n = first.
  double upper_bound(std::size_t first, std::size_t last) const;
  /// >= the expected work of any schedule with the chunks of `chunking`, whose last one may be smaller.
  double upper_bound(const Chunking& chunking) const;
  /// >= expected(n) for every n and any chart: ranges of n are split where the bound is greatest, a few hundred times.
  /// Needs a start-up cost. Proven, but it does not prove that a search found the best: it is some per cent too high if
  /// g is large.
  double upper_bound_of_all() const;

 private:
  double step(std::size_t chunks) const { return slice_ / static_cast<double>(chunks) + startup_cost_; }
  double product_of_column(const GroupChart& chart, std::size_t group) const;
  double mean_lost(const GroupChart& chart, std::size_t phantoms);

  std::size_t workers_;
  double slice_;
  double startup_cost_;
  const Risk& risk_;
  ChartBuilder chart_;
  std::vector<double> risk_at_step_;
  std::vector<std::uint32_t> before_;
  std::vector<ShiftedView> executions_;  // of a group where the last one is incomplete: of chunk q by worker q - i
};

/// The most chunks of a slice that a search considers: what fits into memory (500,000 for up to 100 workers), for
/// auto-paper at most granularity_limit. Throws InputError if that does.
std::size_t slice_chunk_limit(const WorksharingProblem& problem, Granularity::Kind kind = Granularity::Kind::kAuto);

/// The number of equal chunks for a slice, as auto or auto-paper choose it.
GranularityChoice choose_slice_chunks(SliceObjective& objective, const WorksharingProblem& problem,
                                      Granularity::Kind kind);

}  // namespace coterie::heuristics
