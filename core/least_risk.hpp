#pragma once

#include <cstddef>

#include "core/risk.hpp"

namespace coterie {

/// The risk of the least of `count` >= 1 independent lives, that of a gang of machines which all must be up:
/// survival(t)^count. Exponential laws and laws of steps stay what they are.
RiskPtr least_of(const RiskPtr& risk, std::size_t count);

}  // namespace coterie
