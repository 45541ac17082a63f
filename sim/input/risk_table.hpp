#pragma once

#include <string>

#include "core/risk.hpp"

namespace coterie::sim {

/// The law of cdf(file=...): a CSV file with the columns time,probability (the header may be missing), P(T < time) in
/// units of the campaign; a first row 0,0 may be missing. `text` is what the risk's text() returns. Throws InputError
/// at the line that is wrong, RuntimeError if the file cannot be read.
RiskPtr read_risk_table(const std::string& path, const std::string& text);

}  // namespace coterie::sim
