#pragma once

#include <string>
#include <vector>

#include "sim/results/result_averages.hpp"

namespace coterie::sim {

/// The strategies that were run, by their means over all configurations, the best first.
std::vector<std::size_t> ranked_strategies(const ResultFile& result);

/// What a result says, in sentences: which strategy is ahead, by how much, whether that is more than chance, and what
/// is proven to be out of reach. `cells`: the result by its settings, of result_groups(), the first of `ranked` being
/// the first of its baselines. `baseline`: of baseline_of().
std::string report_words(const ResultFile& result, const std::vector<ResultGroup>& cells,
                         const std::vector<std::size_t>& ranked, std::ptrdiff_t baseline);

}  // namespace coterie::sim
