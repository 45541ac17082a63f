#include "heuristics/charts/performance_constant.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace coterie::heuristics {
namespace {

/// Products of neighbours first, so that the factors of each big multiplication are of like size.
Integer product_of_range(std::size_t first, std::size_t last) {
  if (first > last) return 1;
  if (last - first < 8) {
    Integer product = first;
    for (std::size_t k = first + 1; k <= last; ++k) product *= k;
    return product;
  }
  const std::size_t middle = first + (last - first) / 2;
  return product_of_range(first, middle) * product_of_range(middle + 1, last);
}

/// Least x with x^degree >= value, for value >= 1.
Integer root_rounded_up(const Integer& value, unsigned degree) {
  using boost::multiprecision::pow;
  if (degree == 1) return value;
  // Newton's iteration for the root rounded down, from a start that is not below it.
  const unsigned bits = static_cast<unsigned>(msb(value)) + 1;
  const double log2_root = log_of(value) / std::numbers::ln2 / degree;
  const unsigned shift = log2_root > 52 ? static_cast<unsigned>(log2_root) - 52 : 0;
  Integer root = Integer(std::exp2(log2_root - shift) * (1 + 1e-10) + 1) << shift;
  if (pow(root, degree) < value) root = Integer(1) << (bits / degree + 1);
  for (;;) {
    const Integer next = ((degree - 1) * root + value / pow(root, degree - 1)) / degree;
    if (next >= root) break;
    root = next;
  }
  return pow(root, degree) == value ? root : root + 1;
}

}  // namespace

Integer performance_constant(const GroupChart& chart) {
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 32;
  Integer sum = 0;
  for (std::size_t j = 0; j < chart.groups; ++j) {
    Integer product = 1;
    std::uint64_t small = 1;  // entries fit 32 bits: gather them in one word before each big multiplication
    for (std::size_t i = 0; i < chart.executions; ++i) {
      small *= chart.at(i, j);
      if (small >= kRoom) {
        product *= small;
        small = 1;
      }
    }
    sum += product * small;
  }
  return sum;
}

Integer least_performance_constant(std::size_t executions, std::size_t groups) {
  const auto degree = static_cast<unsigned>(groups);
  const Integer value = boost::multiprecision::pow(Integer(groups), degree) * product_of_range(2, executions * groups);
  return root_rounded_up(value, degree);
}

double log_least_performance_constant(std::size_t executions, std::size_t groups) {
  const auto m = static_cast<double>(groups);
  return std::log(m) + boost::math::lgamma(static_cast<double>(executions * groups) + 1) / m;
}

double log_of(const Integer& value) {
  const std::size_t bits = msb(value) + 1;
  if (bits <= 64) return std::log(value.convert_to<double>());
  const Integer head = value >> (bits - 64);
  return std::log(head.convert_to<double>()) + static_cast<double>(bits - 64) * std::numbers::ln2;
}

}  // namespace coterie::heuristics
