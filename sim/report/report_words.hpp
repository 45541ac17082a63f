#pragma once

#include <string>
#include <vector>

#include "sim/results/result_averages.hpp"

namespace coterie::sim {

/// What a result says, in sentences: which strategy is ahead, by how much, whether that is more than chance, and what
/// is proven to be out of reach. `cells`: the result by its settings, of result_groups(). `baseline`: of baseline_of().
std::string report_words(const ResultFile& result, const std::vector<ResultGroup>& cells, std::ptrdiff_t baseline);

}  // namespace coterie::sim
