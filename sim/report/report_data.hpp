#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// Everything that the page of a result shows, as JSON: axes and their values, for each cell (a setting of the swept
/// axes) and strategy the mean ratio, its standard error and the paired difference to the baseline, risks as curves,
/// and the provenance. `baseline`: a strategy's name, or "" for the campaign's. Results of more than kMostReportRows
/// cells x strategies are averaged over the axes with most values. `risks`: of the campaign, or null if it can no
/// longer be read. Throws InputError for an unknown baseline.
nlohmann::ordered_json report_data(const ResultFile& result, const std::string& baseline, RiskLibrary* risks);

inline constexpr std::size_t kMostReportRows = 40'000;

}  // namespace coterie::sim
