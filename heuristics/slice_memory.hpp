#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "heuristics/granularity.hpp"
#include "heuristics/group_chart.hpp"
#include "heuristics/worksharing.hpp"

namespace coterie::heuristics {

/// What was found for slices, each searched for once: configurations of a campaign have many slices in common. No
/// answer depends on what is remembered. Threads may share it.
class SliceMemory {
 public:
  /// All that the number of chunks chosen for a slice depends on.
  struct Slice {
    RiskPtr risk;
    std::size_t workers;
    double size;
    double startup_cost;
    std::size_t limit;
    ChartBuilder chart;
    Granularity::Kind kind;

    auto but_chart() const { return std::tie(risk, workers, size, startup_cost, limit, kind); }
    bool operator<(const Slice& other) const {
      return chart != other.chart ? std::less<>()(chart, other.chart) : but_chart() < other.but_chart();
    }
  };

  /// What was chosen for the slice before, or is by `choose` now.
  GranularityChoice count(const Slice& slice, const std::function<GranularityChoice()>& choose);
  /// build(executions, groups, risk_at_step, weights), or what that was before.
  GroupChart chart(WeightedChartBuilder build, std::size_t executions, std::size_t groups,
                   std::span<const double> risk_at_step, std::span<const double> weights);

 private:
  using ChartArguments = std::tuple<std::size_t, std::size_t, std::vector<double>, std::vector<double>>;

  std::mutex mutex_;
  std::map<Slice, GranularityChoice> counts_;
  std::map<WeightedChartBuilder, std::map<ChartArguments, GroupChart>, std::less<>> charts_;
  std::size_t steps_ = 0;  // of these charts
};

/// By way of what is remembered, where something is.
template <typename Choose>
GranularityChoice count_of(SliceMemory* memory, const SliceMemory::Slice& slice, const Choose& choose) {
  return memory == nullptr ? choose() : memory->count(slice, choose);
}

}  // namespace coterie::heuristics
