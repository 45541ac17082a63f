#include "core/capacity_cells.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <utility>

#include "core/cancellation.hpp"

namespace coterie {
namespace {

constexpr int kDoublings = 40;  // of the first cell, where a survival function may begin steeply

using Gauss = boost::math::quadrature::gauss<double, 7>;
constexpr int kNodes = 7;

/// Seven values of P(s > x) on an interval from -1 to 1, at the nodes of the rule: the middle, then in pairs.
struct Values {
  std::array<double, kNodes> at{};
  std::array<double, kNodes> value{};
  std::array<double, kNodes> weight{};
};

/// Whether the polynomial through the values, as a sum of Legendre polynomials, has hardly anything of the two highest
/// degrees, and passes through the values at the ends: then the rule is exact to about the square of that.
bool is_resolved(const Values& values, double at_from, double at_to) {
  constexpr double kSmall = 1e-8;
  std::array<double, kNodes> coefficient{};
  for (std::size_t k = 0; k < kNodes; ++k) {
    double before = 0;
    double legendre = 1;
    for (std::size_t degree = 0; degree < kNodes; ++degree) {
      const auto n = static_cast<double>(degree);
      coefficient[degree] += (n + 0.5) * values.weight[k] * values.value[k] * legendre;
      before = std::exchange(legendre, ((2 * n + 1) * values.at[k] * legendre - n * before) / (n + 1));
    }
  }
  double from = 0;
  double to = 0;
  for (std::size_t degree = 0; degree < kNodes; ++degree) {
    from += degree % 2 == 0 ? coefficient[degree] : -coefficient[degree];
    to += coefficient[degree];
  }
  return std::abs(coefficient[kNodes - 1]) + std::abs(coefficient[kNodes - 2]) <= kSmall &&
         std::abs(from - at_from) <= kSmall && std::abs(to - at_to) <= kSmall;
}

/// Adds the contribution of [from, to], in which P(s > x) has no break. It is halved where it is steep.
void add_smooth(const Risk& risk, double startup, double from, double to, double& area) {
  constexpr double kNegligible = 1e-15;  // of the interval's end: the most by which the law can falsify the integral
  const double half = (to - from) / 2;
  const double middle = from + half;
  Values values;
  for (std::size_t k = 0; k < kNodes; ++k) {
    const std::size_t pair = (k + 1) / 2;
    values.at[k] = k % 2 == 0 ? Gauss::abscissa()[pair] : -Gauss::abscissa()[pair];
    values.weight[k] = Gauss::weights()[pair];
    values.value[k] = risk.survival(startup + (middle + half * values.at[k]));
  }
  // Breaks are at the ends themselves, or up to rounding (core/ties.hpp); jumps of aged risks may be farther inside.
  const double close = 4e-12 * (startup + to);
  const double inside = std::min(0.01 * half, risk.has_density() ? close : std::max(1e-6 * half, close));
  const double first = risk.survival(startup + (from + inside));
  const double last = risk.survival(startup + (to - inside));
  if ((first - last) * (to - from) > kNegligible * to && from < middle && middle < to &&
      !is_resolved(values, first, last)) {
    add_smooth(risk, startup, from, middle, area);
    add_smooth(risk, startup, middle, to, area);
    return;
  }
  for (std::size_t k = 0; k < kNodes; ++k) area += half * values.weight[k] * values.value[k];
}

}  // namespace

std::vector<double> capacity_cells(const Risk& risk, double startup, double greatest, double step) {
  std::vector<double> ends = {greatest};
  for (double end = 0; end < greatest; end = step * static_cast<double>(ends.size() - 1)) ends.push_back(end);
  std::vector<double> cells(ends.size() - 1);
  for (int i = 1; i <= kDoublings; ++i) ends.push_back(std::ldexp(std::min(step, greatest), -i));
  for (const double t : risk.breaks())
    if (t > startup && t - startup < greatest) ends.push_back(t - startup);
  std::sort(ends.begin(), ends.end());
  std::size_t cell = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    cancellation_point();
    while (cell + 1 < cells.size() && ends[i] >= step * static_cast<double>(cell + 1)) ++cell;
    add_smooth(risk, startup, ends[i], ends[i + 1], cells[cell]);
  }
  return cells;
}

double survival_area(const Risk& risk, std::span<const double> breaks, double startup, double from, double to) {
  double area = 0;
  std::vector<double> ends = {from};
  for (auto t = std::upper_bound(breaks.begin(), breaks.end(), startup + from); t != breaks.end() && *t - startup < to;
       ++t)
    ends.push_back(std::max(from, *t - startup));
  if (from == 0)
    for (int i = kDoublings; i >= 1; --i) ends.push_back(std::ldexp(to, -i));
  std::sort(ends.begin(), ends.end());
  ends.push_back(to);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) add_smooth(risk, startup, ends[i], ends[i + 1], area);
  return area;
}

CapacityLattice CapacityLattice::of(double period, std::size_t points, std::size_t workers, double greatest) {
  const bool whole = period >= static_cast<double>(workers) * greatest;
  // The values of all parts are rounded up to the lattice.
  const double step = period / static_cast<double>(whole ? points - workers - 1 : points);
  return {step, points, whole ? 0 : kDamping / static_cast<double>(points)};
}

double CapacityLattice::returning() const { return damping == 0 ? 0 : std::exp(-kDamping); }

std::vector<double> CapacityLattice::damped_masses(std::span<const double> areas, double total) const {
  std::vector<double> mass(points, 0);
  double before = total * step;
  for (std::size_t k = 0; k < points && k <= areas.size(); ++k) {  // values beyond the lattice occur in no sum on it
    const double area = k < areas.size() ? areas[k] : 0;
    mass[k] = (before - area) / step;
    if (damping > 0) mass[k] *= std::exp(-damping * static_cast<double>(k));
    before = area;
  }
  return mass;
}

void CapacityLattice::restore(std::span<double> masses) const {
  for (std::size_t k = 0; damping > 0 && k < masses.size(); ++k)
    masses[k] *= std::exp(damping * static_cast<double>(k));
}

}  // namespace coterie
