#pragma once

#include <cstdint>

namespace coterie::sim {

/// Type-7 quantile of `count` values, that at a position of them in ascending order being `value_at(position)`: linear
/// between order statistics. [Hyndman and Fan 1996]
template <class ValueAt>
double quantile_of(std::uint64_t count, double probability, const ValueAt& value_at) {
  const double at = probability * static_cast<double>(count - 1);
  const auto below = static_cast<std::uint64_t>(at);
  const double value = value_at(below);
  const double part = at - static_cast<double>(below);
  if (below + 1 >= count || part == 0) return value;  // the next one may be unknown, or infinite
  return value + part * (value_at(below + 1) - value);
}

}  // namespace coterie::sim
