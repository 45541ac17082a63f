#pragma once

#include <limits>

namespace coterie {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace coterie
