#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// One axis of a result: its different values, numbers in ascending order and texts in the order of the file.
struct AxisColumn {
  const Axis* axis = nullptr;
  std::vector<std::string> texts;  ///< the values, numbers in shortest form
  std::vector<double> numbers;     ///< the same; empty for an axis of texts
  std::vector<std::size_t> code;   ///< by configuration, which of them it has
};
std::vector<AxisColumn> axis_columns(const ResultFile& result);

}  // namespace coterie::sim
