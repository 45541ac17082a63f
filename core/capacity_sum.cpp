#include "core/capacity_sum.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <unsupported/Eigen/FFT>

#include "core/cancellation.hpp"

namespace coterie {
namespace {

constexpr int kMomentCells = 512;
constexpr std::size_t kFirstPoints = 1 << 12;  // of the lattice
constexpr std::size_t kMostPoints = 1 << 18;   // unless there are very many workers
constexpr std::size_t kFewestPoints = 64;      // for each of these
constexpr double kDamping = 22;                // damps what is beyond a lattice to 3e-10, raises rounding 6e4 times
constexpr double kCloseEnough = 4e-6;          // error of a limited mean, as a part of it
constexpr double kRounding = 1e-11;            // of sums and transforms, as a part of the result
constexpr double kDraw = 0x1p-33;              // by what a draw on a grid of 2^-32 may miss a uniform one
constexpr int kDoublings = 40;                 // of the first cell, where a survival may begin steeply

/// Integrals over one cell [x, x + h] of P(s > x) and of x P(s > x).
struct Cell {
  double area = 0;
  double moment = 0;
};

/// Of a part s = min(greatest, max(0, T - startup)), over as many cells of width `step` as it takes.
std::vector<Cell> integrate(const Risk& risk, double startup, double greatest, double step) {
  using Rule = boost::math::quadrature::gauss<double, 7>;
  std::vector<double> ends = {greatest};
  for (double end = 0; end < greatest; end = step * static_cast<double>(ends.size() - 1)) ends.push_back(end);
  std::vector<Cell> result(ends.size() - 1);
  for (int i = 1; i <= kDoublings; ++i) ends.push_back(std::ldexp(std::min(step, greatest), -i));
  for (const double t : risk.breaks())
    if (t > startup && t - startup < greatest) ends.push_back(t - startup);
  std::sort(ends.begin(), ends.end());
  std::size_t cell = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    cancellation_point();
    while (cell + 1 < result.size() && ends[i] >= step * static_cast<double>(cell + 1)) ++cell;
    const double half = (ends[i + 1] - ends[i]) / 2;
    const double middle = ends[i] + half;
    for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
      for (const double side : {-1.0, 1.0}) {
        if (k == 0 && side > 0) continue;  // the middle is one node
        const double x = middle + side * half * Rule::abscissa()[k];
        const double area = half * Rule::weights()[k] * risk.survival(startup + x);
        result[cell].area += area;
        result[cell].moment += area * x;
      }
  }
  return result;
}

/// P(s' = k step) for the part on the lattice. With G(x) the integral of P(s > .) up to x, sharing each value by its
/// neighbours gives (2 G(k h) - G((k-1) h) - G((k+1) h)) / h.
std::vector<double> masses(const std::vector<Cell>& cells, double step, std::size_t points) {
  std::vector<double> mass(points, 0);
  double before = step;
  for (std::size_t k = 0; k < points && k <= cells.size(); ++k) {  // what lies beyond the lattice, no sum on it has
    const double area = k < cells.size() ? cells[k].area : 0;
    mass[k] = (before - area) / step;
    before = area;
  }
  return mass;
}

/// P(T <= time) as draws have it, from quantiles: of a risk that jumps, probability() is P(T < time).
double draws_up_to(const Risk& risk, double time) {
  if (time < 0) return 0;
  if (risk.horizon() <= time) return 1;
  double below = 0;
  for (double step = 0.5; step > 0x1p-60; step /= 2)
    if (risk.quantile(below + step) <= time) below += step;
  return below;
}

std::complex<double> power(std::complex<double> base, std::size_t exponent) {
  std::complex<double> result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

}  // namespace

CapacitySum::CapacitySum(std::vector<RiskPtr> risks, std::size_t workers, double startup, double limit)
    : workers_(workers), startup_(startup) {
  const std::size_t alike = workers / risks.size();
  for (const RiskPtr& risk : risks) {
    cancellation_point();
    const auto same = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.risk == risk; });
    (same == parts_.end() ? parts_.emplace_back(Part{risk, 0}) : *same).workers += alike;
    greatest_ = std::max(greatest_, std::min(limit, risk->horizon() - startup));
  }
  if (!(greatest_ > 0)) return;
  positive_ = some_beyond(startup, kRounding * (startup + greatest_));
  for (const Part& part : parts_) {
    Cell sum;
    for (const Cell& cell : integrate(*part.risk, startup, greatest_, greatest_ / kMomentCells)) {
      sum.area += cell.area;
      sum.moment += cell.moment;
    }
    mean_ += static_cast<double>(part.workers) * sum.area;
    variance_ += static_cast<double>(part.workers) * std::max(0.0, 2 * sum.moment - sum.area * sum.area);
  }
}

/// P(some T > time), whichever way times within `margin` of it turn out.
BoundedNumber CapacitySum::some_beyond(double time, double margin) const {
  double least = 1;
  double greatest = 1;
  for (const Part& part : parts_) {
    const auto power = static_cast<double>(part.workers);
    least *= std::pow(draws_up_to(*part.risk, time - margin), power);
    greatest *= std::pow(draws_up_to(*part.risk, time + margin), power);
  }
  constexpr double kMostDoubt = 1e-6;
  if (greatest - least > kMostDoubt) return {std::nan(""), std::nan("")};
  return {1 - (least + greatest) / 2, (greatest - least) / 2 + static_cast<double>(workers_) * kDraw + kRounding};
}

BoundedNumber CapacitySum::mean() const {
  // A part grows with its draw, so that its mean over the grid of draws misses by at most half a step of its range.
  const double grid = static_cast<double>(workers_) * greatest_ * kDraw;
  return {mean_, grid + kRounding * mean_};
}

BoundedNumber CapacitySum::variance() const {
  const double grid = 3 * static_cast<double>(workers_) * greatest_ * greatest_ * kDraw;
  return {variance_, grid + kRounding * static_cast<double>(workers_) * greatest_ * greatest_};
}

/// The law of S', or as much of it as lies below the period.
const CapacitySum::Lattice& CapacitySum::lattice(double period, std::size_t points) {
  const auto known = lattices_.find({period, points});
  if (known != lattices_.end()) return known->second;
  Lattice made;
  const bool whole = period >= static_cast<double>(workers_) * greatest_;
  // The values of all parts are rounded up to the lattice.
  made.step = period / static_cast<double>(whole ? points - workers_ - 1 : points);
  // Where there is more, it comes back from the other end: damped by e^-kDamping, by factors that fall along the
  // lattice and are taken back in the end. [Grubel and Hermesmeier 1999, ASTIN Bulletin 29, 197-214]
  const double damping = whole ? 0 : kDamping / static_cast<double>(points);
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> product(points / 2 + 1, 1);
  std::vector<std::complex<double>> spectrum;
  for (const Part& part : parts_) {
    std::vector<double> mass = masses(integrate(*part.risk, startup_, greatest_, made.step), made.step, points);
    for (std::size_t k = 0; !whole && k < points; ++k) mass[k] *= std::exp(-damping * static_cast<double>(k));
    cancellation_point();
    transform.fwd(spectrum, mass);
    for (std::size_t k = 0; k < product.size(); ++k) product[k] *= power(spectrum[k], part.workers);
  }
  made.probability.resize(points);
  transform.inv(made.probability, product);
  for (std::size_t k = 0; !whole && k < points; ++k) made.probability[k] *= std::exp(damping * static_cast<double>(k));
  made.error = whole ? 0 : std::exp(-kDamping);
  return lattices_.emplace(std::pair(period, points), std::move(made)).first->second;
}

BoundedNumber CapacitySum::on(const Lattice& lattice, double work) const {
  const double reach = (1 + std::sqrt(static_cast<double>(workers_))) * lattice.step;
  double limited = work;
  double near = 0;
  for (std::size_t k = 0; k < lattice.probability.size(); ++k) {
    const double sum = lattice.step * static_cast<double>(k);
    if (sum > work + reach) break;
    if (sum < work) limited -= (work - sum) * lattice.probability[k];
    if (sum >= work - reach) near += lattice.probability[k];
  }
  const double bound = static_cast<double>(workers_) * lattice.step / 3 * std::max(0.0, near);
  // A density that is even around `work`, and values that are even within their cells, would give this part of it.
  const double part = lattice.step / (8 * reach);
  return {limited + part * bound, bound + work * lattice.error};
}

BoundedNumber CapacitySum::limited_mean(double work) {
  const double greatest = static_cast<double>(workers_) * greatest_;
  if (work >= greatest) return mean();
  const double period = std::min(greatest, 2 * std::exp2(std::ceil(std::log2(work))));
  const std::size_t most = std::max(kMostPoints, std::bit_ceil(4 * kFewestPoints * workers_));
  std::size_t points = std::max(kFirstPoints, std::bit_ceil(kFewestPoints * workers_));
  BoundedNumber limited;
  do {
    limited = on(lattice(period, points), work);
    points *= 2;
  } while (limited.error > kCloseEnough * limited.value && points <= most);
  limited.error += greatest * kDraw + kRounding * work;
  return limited;
}

}  // namespace coterie
