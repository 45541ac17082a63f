#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <tuple>

#include "heuristics/granularity.hpp"
#include "heuristics/group_chart.hpp"
#include "heuristics/worksharing.hpp"

namespace coterie::heuristics {

/// The numbers of chunks chosen for slices, each searched for once: configurations of a campaign have many slices in
/// common. Choices do not depend on what is remembered. Threads may share it.
class ChosenCounts {
 public:
  /// All that a choice depends on.
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
  GranularityChoice of(const Slice& slice, const std::function<GranularityChoice()>& choose);

 private:
  std::mutex mutex_;
  std::map<Slice, GranularityChoice> known_;
};

/// By way of what was chosen before, where that is kept.
template <typename Choose>
GranularityChoice chosen_before(ChosenCounts* chosen, const ChosenCounts::Slice& slice, const Choose& choose) {
  return chosen == nullptr ? choose() : chosen->of(slice, choose);
}

}  // namespace coterie::heuristics
