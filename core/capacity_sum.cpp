#include "core/capacity_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <unsupported/Eigen/FFT>

#include "core/cancellation.hpp"
#include "core/capacity_cells.hpp"

namespace coterie {
namespace {

constexpr int kMomentCells = 512;
constexpr std::size_t kFirstPoints = 1 << 12;  // of the lattice
constexpr std::size_t kMostPoints = 1 << 18;   // unless there are very many workers
constexpr std::size_t kFewestPoints = 64;      // for each of these
constexpr double kMostOperations = 2e9;        // of the transforms of a refined lattice, one for each distinct risk
constexpr double kMostFirstOperations = 1e10;  // the same of the first lattice
constexpr double kCloseEnough = 4e-6;          // error of a limited mean, as a part of it
constexpr double kRounding = 1e-11;            // of sums and transforms, as a part of the result
constexpr double kDraw = 0x1p-33;              // distance of a draw on a grid of 2^-32 from a uniform one

/// P(T <= time) as seen by draws, from quantiles; if a risk jumps, probability() is P(T < time).
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
    CapacityCell sum;
    for (const CapacityCell& cell : capacity_cells(*part.risk, startup, greatest_, greatest_ / kMomentCells)) {
      sum.area += cell.area;
      sum.moment += cell.moment;
    }
    mean_ += static_cast<double>(part.workers) * sum.area;
    variance_ += static_cast<double>(part.workers) * std::max(0.0, 2 * sum.moment - sum.area * sum.area);
  }
}

/// P(some T > time), with bounds for times within `margin` of it.
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
  // A part grows with its draw, so its mean over the grid of draws is wrong by at most half a step of its range.
  const double grid = static_cast<double>(workers_) * greatest_ * kDraw;
  return {mean_, grid + kRounding * mean_};
}

BoundedNumber CapacitySum::variance() const {
  const double grid = 3 * static_cast<double>(workers_) * greatest_ * greatest_ * kDraw;
  return {variance_, grid + kRounding * static_cast<double>(workers_) * greatest_ * greatest_};
}

/// The law of S', or the part of it below the period.
const CapacitySum::Law& CapacitySum::law(double period, std::size_t points) {
  const auto known = laws_.find({period, points});
  if (known != laws_.end()) return known->second;
  const CapacityLattice lattice = CapacityLattice::of(period, points, workers_, greatest_);
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> product(points / 2 + 1, 1);
  std::vector<std::complex<double>> spectrum;
  for (const Part& part : parts_) {
    std::vector<double> areas;
    for (const CapacityCell& cell : capacity_cells(*part.risk, startup_, greatest_, lattice.step))
      areas.push_back(cell.area);
    const std::vector<double> mass = lattice.damped_masses(areas);
    cancellation_point();
    transform.fwd(spectrum, mass);
    for (std::size_t k = 0; k < product.size(); ++k) product[k] *= power(spectrum[k], part.workers);
  }
  Law made{lattice, std::vector<double>(points)};
  transform.inv(made.probability, product);
  lattice.restore(made.probability);
  return laws_.emplace(std::pair(period, points), std::move(made)).first->second;
}

BoundedNumber CapacitySum::on(const Law& law, double work) const {
  const double step = law.lattice.step;
  const double reach = (1 + std::sqrt(static_cast<double>(workers_))) * step;
  double limited = work;
  double near = 0;
  for (std::size_t k = 0; k < law.probability.size(); ++k) {
    const double sum = step * static_cast<double>(k);
    if (sum > work + reach) break;
    if (sum < work) limited -= (work - sum) * law.probability[k];
    if (sum >= work - reach) near += law.probability[k];
  }
  const double bound = static_cast<double>(workers_) * step / 3 * std::max(0.0, near);
  // A density that is even around `work`, and values that are even within their cells, would give this part of it.
  const double part = step / (8 * reach);
  return {limited + part * bound, bound + work * law.lattice.returning()};
}

BoundedNumber CapacitySum::limited_mean_by_moments(double work) const {
  const auto [mean, error] = this->mean();
  const double distance = std::sqrt(variance().value + variance().error + std::pow(std::abs(mean - work) + error, 2));
  const double least = std::max(0.0, (work + mean - error - distance) / 2);
  const double most = std::min(work, mean + error);
  return {(least + most) / 2, std::max(0.0, most - least) / 2 + kRounding * (work + mean)};
}

BoundedNumber CapacitySum::limited_mean(double work) {
  const double greatest = static_cast<double>(workers_) * greatest_;
  if (work >= greatest) return mean();
  const double period = std::min(greatest, 2 * std::exp2(std::ceil(std::log2(work))));
  const std::size_t most = std::max(kMostPoints, std::bit_ceil(4 * kFewestPoints * workers_));
  std::size_t points = std::max(kFirstPoints, std::bit_ceil(kFewestPoints * workers_));
  const auto operations = [&](std::size_t size) {
    return static_cast<double>(parts_.size()) * static_cast<double>(size) * std::log2(static_cast<double>(size));
  };
  if (operations(points) > kMostFirstOperations) return limited_mean_by_moments(work);
  const auto affordable = [&](std::size_t size) { return size <= most && operations(size) <= kMostOperations; };
  BoundedNumber limited;
  do {
    limited = on(law(period, points), work);
    points *= 2;
  } while (limited.error > kCloseEnough * limited.value && affordable(points));
  limited.error += greatest * kDraw + kRounding * work;
  return limited;
}

std::size_t CapacitySum::kept_points() const {
  return std::accumulate(laws_.begin(), laws_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& law) { return sum + law.second.probability.size(); });
}

}  // namespace coterie
