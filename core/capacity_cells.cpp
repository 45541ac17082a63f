#include "core/capacity_cells.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/cancellation.hpp"

namespace coterie {
namespace {

constexpr int kDoublings = 40;  // of the first cell, where a survival function may begin steeply

/// Adds the contribution of [from, to], in which P(s > x) is smooth.
void add_smooth(const Risk& risk, double startup, double from, double to, CapacityCell& cell) {
  using Rule = boost::math::quadrature::gauss<double, 7>;
  const double half = (to - from) / 2;
  const double middle = from + half;
  for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
    for (const double side : {-1.0, 1.0}) {
      if (k == 0 && side > 0) continue;  // the middle is one node
      const double x = middle + side * half * Rule::abscissa()[k];
      const double area = half * Rule::weights()[k] * risk.survival(startup + x);
      cell.area += area;
      cell.moment += area * x;
    }
}

}  // namespace

std::vector<CapacityCell> capacity_cells(const Risk& risk, double startup, double greatest, double step) {
  std::vector<double> ends = {greatest};
  for (double end = 0; end < greatest; end = step * static_cast<double>(ends.size() - 1)) ends.push_back(end);
  std::vector<CapacityCell> cells(ends.size() - 1);
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
  CapacityCell sum;
  std::vector<double> ends = {from};
  for (auto t = std::upper_bound(breaks.begin(), breaks.end(), startup + from); t != breaks.end() && *t - startup < to;
       ++t)
    ends.push_back(std::max(from, *t - startup));
  if (from == 0)
    for (int i = kDoublings; i >= 1; --i) ends.push_back(std::ldexp(to, -i));
  std::sort(ends.begin(), ends.end());
  ends.push_back(to);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) add_smooth(risk, startup, ends[i], ends[i + 1], sum);
  return sum.area;
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
