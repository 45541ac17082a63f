#pragma once

#include <string>
#include <vector>

#include "sim/campaign/catalogue.hpp"

namespace coterie::sim {

/// Names that options take, for completion: each name once, in the order of the tables.
std::vector<std::string> axis_names(const Catalogue& catalogue);         ///< of all models
std::vector<std::string> strategy_names(const Catalogue& catalogue);     ///< of all models
std::vector<std::string> worksharing_names(const Catalogue& catalogue);  ///< strategies of the model worksharing
std::vector<std::string> risk_names(const Catalogue& catalogue);         ///< without their parameters
std::vector<std::string> format_names();                                 ///< of traces

}  // namespace coterie::sim
