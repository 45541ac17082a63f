#include "heuristics/chunks/slice_cache.hpp"

namespace coterie::heuristics {

GranularityChoice SliceCache::count(const Slice& slice, const std::function<GranularityChoice()>& choose) {
  return counts_.get(slice, choose, [](const GranularityChoice&) { return std::size_t{1}; });
}

GroupChart SliceCache::chart(WeightedChartBuilder build, std::size_t executions, std::size_t groups,
                             std::span<const double> risk_at_step, std::span<const double> weights) {
  return charts_.get(
      {build, executions, groups, std::vector(risk_at_step.begin(), risk_at_step.end()),
       std::vector(weights.begin(), weights.end())},
      [&] { return build(executions, groups, risk_at_step, weights); },
      [](const GroupChart& chart) { return chart.steps.size(); });
}

std::vector<SliceCache::ChunkSizes> SliceCache::sizes(const Share& share,
                                                      const std::function<std::vector<ChunkSizes>()>& find) {
  return sizes_.get(share, find, [](const std::vector<ChunkSizes>& lists) {
    std::size_t chunks = 0;
    for (const ChunkSizes& list : lists) chunks += list.size();
    return chunks;
  });
}

std::shared_ptr<const WorkerCeiling> SliceCache::worker(const RiskPtr& risk, double startup_cost,
                                                        std::size_t most_points) {
  return workers_.get(
      {risk, startup_cost, most_points},
      [&] { return std::make_shared<const WorkerCeiling>(risk, startup_cost, most_points); },
      [](const auto& ceiling) { return ceiling->points() + WorkerCeiling::kPointsBeside; });
}

}  // namespace coterie::heuristics
