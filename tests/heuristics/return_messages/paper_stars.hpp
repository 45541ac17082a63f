#pragma once

#include "core/rational.hpp"
#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Platforms of Figures 3 and 4 of return-messages-2005.
inline const StarPlatform<Rational> kFigure3 = {{1, 1, 1}, {1, 1, 1}, {5, 5, 5}};
inline const StarPlatform<Rational> kFigure4 = {{7, 6, 7}, {8, 5, 8}, {12, 5, 12}};

}  // namespace coterie::heuristics
