#pragma once

#include <string>
#include <vector>

#include "sim/model_interface/metric.hpp"
#include "sim/results/result_averages.hpp"

namespace coterie::sim {

/// What the ratios of a result compare.
Metric metric_of(const ResultFile& result);

/// What the sentences about a result cover: all of it, or the configurations with the model's headline().
struct Headline {
  explicit Headline(const ResultFile& result);

  std::string axis, value;          ///< empty: the whole result
  std::size_t code = 0;             ///< of the value, in the column of the axis
  std::vector<std::size_t> ranked;  ///< the strategies that were run, by their means over these, the best first
};

/// A result in sentences: which strategy is ahead, by how much, whether that is more than chance, and which bounds are
/// proven. `cells`: the result by its settings `kept`, of result_groups(), the first of
/// headline.ranked being the first of its baselines. `baseline`: of baseline_of().
std::string report_words(const ResultFile& result, const Headline& headline, const std::vector<const AxisColumn*>& kept,
                         const std::vector<ResultGroup>& cells, std::ptrdiff_t baseline);

}  // namespace coterie::sim
