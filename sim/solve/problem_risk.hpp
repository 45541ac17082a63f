#pragma once

#include <string>

#include "core/risk.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// The risk in a problem file, given as text: one of `laws` (`linear(kappa=1/3)`) or a trace. Relative trace files
/// start from the problem file's directory. Throws InputError at the value's place.
RiskPtr read_risk(TomlTable& file, const RiskKinds& laws, const std::string& key = "risk");

/// kappa of a risk that must be linear; `why` ends the message for others.
double read_linear_rate(TomlTable& file, const RiskKinds& laws, const std::string& why,
                        const std::string& key = "risk");

}  // namespace coterie::sim
