#pragma once

#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// The schedules of one configuration of a result, as its model draws them.
struct ReportPictures {
  std::vector<Picture> pictures;
  std::string problem;                 ///< why expected pictures are missing; "" if there is no problem
  std::shared_ptr<RiskLibrary> risks;  ///< of the campaign, as far as resolved
};

/// Pictures of the configuration with the least to draw; none for models that draw nothing. If a file that the campaign
/// names is missing or has changed, `problem` says so.
ReportPictures report_pictures(const ResultFile& result);

}  // namespace coterie::sim
