#pragma once

#include <string>
#include <vector>

#include "sim/report/pictures.hpp"
#include "sim/report/report_data.hpp"

namespace coterie::sim {

/// One self-contained HTML page: page.html with page.css, page.js, the data and the pictures inserted.
std::string report_page(const nlohmann::ordered_json& data, const ReportPictures& pictures);

}  // namespace coterie::sim
