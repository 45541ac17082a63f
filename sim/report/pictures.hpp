#pragma once

#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// The schedules of one configuration of a result, as its model draws them.
struct ReportPictures {
  std::vector<Picture> pictures;
  std::string problem;                 ///< why there are none although there should be; "" where all is well
  std::shared_ptr<RiskLibrary> risks;  ///< of the campaign, as far as they were resolved
};

/// Of the configuration with least to draw; none for models that draw nothing. Where a file that the campaign names is
/// not here any more, or has become another, `problem` tells.
ReportPictures report_pictures(const ResultFile& result);

}  // namespace coterie::sim
