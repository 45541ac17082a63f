#pragma once

#include <string>

#include "core/risk.hpp"

namespace coterie {

/// The risk that `text` names: risk("weibull(shape=0.5, scale=1)").
inline RiskPtr risk(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

}  // namespace coterie
