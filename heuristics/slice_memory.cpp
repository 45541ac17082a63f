#include "heuristics/slice_memory.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kMostCounts = 100'000;   // some 10 MB, beside the risks
constexpr std::size_t kMostChartSteps = 3'000'000;  // of charts, some 50 MB

}  // namespace

GranularityChoice SliceMemory::count(const Slice& slice, const std::function<GranularityChoice()>& choose) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = counts_.find(slice); known != counts_.end()) return known->second;
  }
  const GranularityChoice choice = choose();  // two threads may search for the same
  const std::lock_guard lock(mutex_);
  if (counts_.size() >= kMostCounts) counts_.clear();
  counts_.emplace(slice, choice);
  return choice;
}

GroupChart SliceMemory::chart(WeightedChartBuilder build, std::size_t executions, std::size_t groups,
                              std::span<const double> risk_at_step, std::span<const double> weights) {
  ChartArguments arguments(executions, groups, std::vector(risk_at_step.begin(), risk_at_step.end()),
                           std::vector(weights.begin(), weights.end()));
  {
    const std::lock_guard lock(mutex_);
    const auto& known = charts_[build];
    if (const auto found = known.find(arguments); found != known.end()) return found->second;
  }
  const GroupChart chart = build(executions, groups, risk_at_step, weights);
  if (chart.steps.size() > kMostChartSteps) return chart;
  const std::lock_guard lock(mutex_);
  if (steps_ + chart.steps.size() > kMostChartSteps) {
    charts_.clear();
    steps_ = 0;
  }
  if (charts_[build].emplace(std::move(arguments), chart).second) steps_ += chart.steps.size();
  return chart;
}

}  // namespace coterie::heuristics
