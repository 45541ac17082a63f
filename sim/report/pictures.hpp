#pragma once

#include <string>
#include <vector>

#include "sim/results/result_file.hpp"

namespace coterie::sim {

struct ReportPicture {
  std::string caption;
  std::string svg;
};

/// The schedules of one configuration of a result, the one with fewest tasks to draw; none for models without static
/// schedules of tasks, and where a trace is not here any more. Large schedules are left out.
std::vector<ReportPicture> report_pictures(const ResultFile& result);

}  // namespace coterie::sim
