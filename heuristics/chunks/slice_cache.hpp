#pragma once

#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "heuristics/charts/group_chart.hpp"
#include "heuristics/chunks/bounded_cache.hpp"
#include "heuristics/chunks/granularity.hpp"
#include "heuristics/chunks/worker_ceiling.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// A cache of results for slices, since configurations of a campaign have many slices in common. It does not affect the
/// answers. Thread-safe.
class SliceCache {
 public:
  /// Everything on which the number of chunks chosen for a slice depends.
  struct Slice {
    RiskPtr risk;
    std::size_t workers;
    double size;
    double startup_cost;
    std::size_t limit;
    ChartBuilder chart;
    Granularity::Kind kind;
    std::size_t start = 0;  ///< where a climb starts; 0: all numbers are searched

    auto but_chart() const { return std::tie(risk, workers, size, startup_cost, limit, kind, start); }
    bool operator<(const Slice& other) const {
      return chart != other.chart ? std::less<>()(chart, other.chart) : but_chart() < other.but_chart();
    }
  };

  /// Everything on which unequal chunks of one worker's share depend.
  struct Share {
    RiskPtr risk;
    double size;
    double startup_cost;
    std::size_t half;                 ///< the jumps of the risk that are kept in each of two ways
    std::vector<std::size_t> bounds;  ///< on the number of chunks

    auto all() const { return std::tie(risk, size, startup_cost, half, bounds); }
    bool operator<(const Share& other) const { return all() < other.all(); }
  };
  using ChunkSizes = std::vector<double>;

  /// The earlier choice for the slice, or that of `choose` now.
  GranularityChoice count(const Slice& slice, const std::function<GranularityChoice()>& choose);
  /// build(executions, groups, risk_at_step, weights), or its earlier result.
  GroupChart chart(WeightedChartBuilder build, std::size_t executions, std::size_t groups,
                   std::span<const double> risk_at_step, std::span<const double> weights);
  /// The sizes found earlier for the share, or by `find` now.
  std::vector<ChunkSizes> sizes(const Share& share, const std::function<std::vector<ChunkSizes>()>& find);

  /// The known bounds for the lists of one worker.
  std::shared_ptr<const WorkerCeiling> worker(const RiskPtr& risk, double startup_cost, std::size_t most_points);

 private:
  struct ChartQuestion {
    WeightedChartBuilder build;
    std::size_t executions;
    std::size_t groups;
    std::vector<double> risk_at_step;
    std::vector<double> weights;

    auto arguments() const { return std::tie(executions, groups, risk_at_step, weights); }
    bool operator<(const ChartQuestion& other) const {
      return build != other.build ? std::less<>()(build, other.build) : arguments() < other.arguments();
    }
  };

  BoundedCache<Slice, GranularityChoice> counts_{100'000};         // some 10 MB, beside the risks
  BoundedCache<ChartQuestion, GroupChart> charts_{3'000'000};      // steps, some 50 MB
  BoundedCache<Share, std::vector<ChunkSizes>> sizes_{3'000'000};  // chunks, some 25 MB
  using Worker = std::tuple<RiskPtr, double, std::size_t>;
  BoundedCache<Worker, std::shared_ptr<const WorkerCeiling>> workers_{1'000'000};  // points, some 25 MB
};

/// Uses the cache, if there is one.
template <typename Choose>
GranularityChoice count_of(SliceCache* memory, const SliceCache::Slice& slice, const Choose& choose) {
  return memory == nullptr ? choose() : memory->count(slice, choose);
}

}  // namespace coterie::heuristics
