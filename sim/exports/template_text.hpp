#pragma once

#include <string>
#include <utility>
#include <vector>

namespace coterie::sim {

/// A file of export_sources.hpp with each @NAME@ replaced.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values);

/// Without what rounding left behind.
double twelve_digits(double value);

/// The line of a Slurm script that limits each start of a task: a tenth more than the plan's time, in whole minutes. A
/// comment if that is not in seconds or not known.
std::string time_limit_line(double seconds, bool has_unit);

}  // namespace coterie::sim
