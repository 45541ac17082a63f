#include "sim/statistics/control_variates.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::sim {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kCollinear = 1e-8;    // of the correlations, what is left of a control beside the others
constexpr double kConstant = 1e-9;     // what varies less, as a part of its mean, varies by rounding
constexpr double kUnmet = 0.5;         // of its known mean, what a control must have reached
constexpr double kPerCoefficient = 1;  // degrees of freedom of replicates of Sobol points that one takes that is fitted
constexpr double kOfSobol = 10;        // and those of a plain mean: few points are not normal
constexpr double kFewest = 50;  // effective instances of a control, (sum of values)^2 / sum of squares [Kish 1965]

/// From Student's t with `stored` degrees of freedom to that of replicates with at most `freedom`, fewer where they are
/// skewed, see guarded_error().
double widening(const ValueMoments& replicates, double freedom, double stored) {
  return student_quantile(std::clamp(values_of_skewness(replicates), 1.0, freedom)) / student_quantile(stored);
}

/// Where the product of deviations i <= j is kept.
constexpr std::size_t at(std::size_t i, std::size_t j) { return j * (j + 1) / 2 + i; }

}  // namespace

double MeanEstimate::half_width() const {
  return freedom >= 1 ? student_quantile(freedom) * standard_error + bound : kNaN;
}

double MeanEstimate::whole_error() const {
  if (!(bound > 0)) return standard_error;
  return freedom >= 1 ? half_width() / student_quantile(freedom) : kNaN;
}

double MeanEstimate::efficiency_gain() const {
  if (plain_error == 0) return 1;
  return std::pow(plain_error / whole_error(), 2);
}

void PooledGain::add(double gain, double error) {
  if (error == 0 && gain != 1 && !std::isinf(of_exact_)) of_exact_ = gain;
  const double reached = std::pow(error, 2);
  if (std::isnan(gain * reached)) return;
  plain_ += gain * reached;
  reached_ += reached;
}

double PooledGain::value() const { return reached_ > 0 ? plain_ / reached_ : of_exact_; }

void ControlledMean::Moments::add(const Vector& values, std::size_t size) {
  ++count;
  Vector before;
  for (std::size_t i = 0; i < size; ++i) {
    before[i] = values[i] - mean[i];
    mean[i] += before[i] / count;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i; j < size; ++j) products[at(i, j)] += before[i] * (values[j] - mean[j]);
}

void ControlledMean::Moments::add(const Moments& other, std::size_t size) {
  if (other.count == 0) return;
  const double both = count + other.count;
  Vector apart;
  for (std::size_t i = 0; i < size; ++i) apart[i] = other.mean[i] - mean[i];
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i; j < size; ++j)
      products[at(i, j)] += other.products[at(i, j)] + apart[i] * apart[j] * (count * other.count / both);
  for (std::size_t i = 0; i < size; ++i) mean[i] += apart[i] * (other.count / both);
  count = both;
}

ControlledMean::ControlledMean(std::vector<BoundedNumber> means, Sampling sampling, std::size_t indicators,
                               ValueRange range)
    : means_(std::move(means)), sampling_(sampling), range_(range) {
  for (std::size_t i = 0; i < means_.size(); ++i)
    if (!std::isnan(means_[i].value)) used_.push_back(i);
  indicators_ = static_cast<std::size_t>(std::lower_bound(used_.begin(), used_.end(), indicators) - used_.begin());
}

void ControlledMean::add(std::uint64_t instance, double value, std::span<const double> controls) {
  Vector values{};
  values[0] = value;
  for (std::size_t i = 0; i < used_.size(); ++i) values[i + 1] = controls[used_[i]] - means_[used_[i]].value;
  moments_[replicate_of(instance)].add(values, 1 + used_.size());
  values_.add(value);
}

/// By control in use, from 1 on; 0 for those left out: all but the first `controls`, and what does not vary. None where
/// few or no instances have the great values that make a control's mean: their slopes would be drawn out to values that
/// were never seen.
ControlledMean::Vector ControlledMean::coefficients(const Moments& others, std::size_t controls) const {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostControls, kMostControls>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostControls, 1>;
  Vector result{};
  if (others.count < kPerControl * static_cast<double>(controls + 1)) return result;
  for (std::size_t i = 1; i <= used_.size(); ++i) {
    const double known = means_[used_[i - 1]].value;
    if (!(known > 0)) continue;
    const double mean = known + others.mean[i];
    const double square = mean * mean + others.products[at(i, i)] / others.count;
    if (mean >= kUnmet * known && others.count * mean * mean >= kFewest * square) continue;
    if (i <= indicators_) return result;
    controls = std::min(controls, indicators_);
  }
  std::vector<std::size_t> varying;
  for (std::size_t i = 1; i <= controls; ++i) {
    const double rounding = kConstant * std::abs(means_[used_[i - 1]].value);
    if (others.products[at(i, i)] > others.count * rounding * rounding) varying.push_back(i);
  }
  if (varying.empty()) return result;
  const auto size = static_cast<Eigen::Index>(varying.size());
  Matrix correlation(size, size);
  Column right(size);
  Column scale(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t k = varying[static_cast<std::size_t>(i)];
    scale[i] = 1 / std::sqrt(others.products[at(k, k)]);
    right[i] = others.products[at(0, k)] * scale[i];
    for (Eigen::Index j = 0; j <= i; ++j)
      correlation(i, j) = correlation(j, i) =
          others.products[at(varying[static_cast<std::size_t>(j)], k)] * scale[i] * scale[j];
  }
  Eigen::ColPivHouseholderQR<Matrix> solver;
  solver.setThreshold(kCollinear);
  solver.compute(correlation);
  const Column solution = solver.solve(right);
  for (Eigen::Index i = 0; i < size; ++i) result[varying[static_cast<std::size_t>(i)]] = solution[i] * scale[i];
  return result;
}

/// Of what is left of the values.
ControlledMean::Moments ControlledMean::residuals(const Moments& moments, const Vector& b) const {
  Moments left;
  left.count = moments.count;
  left.mean[0] = moments.mean[0];
  double squares = moments.products[at(0, 0)];
  for (std::size_t i = 1; i <= used_.size(); ++i) {
    left.mean[0] -= b[i] * moments.mean[i];
    squares -= 2 * b[i] * moments.products[at(0, i)];
    for (std::size_t j = 1; j <= used_.size(); ++j)
      squares += b[i] * b[j] * moments.products[at(std::min(i, j), std::max(i, j))];
  }
  left.products[at(0, 0)] = std::max(0.0, squares);
  return left;
}

/// By replicate, from all others: as many controls, from the first on, as leave the least variance in each of these
/// when it is left out, too.
std::array<ControlledMean::Vector, kReplicates> ControlledMean::coefficients_for_each() const {
  const std::size_t size = 1 + used_.size();
  using Tried = std::array<Moments, 1 + kMostControls>;  // by number of controls, what they leave of the others
  std::array<Tried, kReplicates> left{};
  const auto all_but = [&](std::size_t r, std::size_t other) {
    Moments sum;
    for (std::size_t k = 0; k < kReplicates; ++k)
      if (k != r && k != other) sum.add(moments_[k], size);
    return sum;
  };
  for (std::size_t r = 0; r < kReplicates; ++r)
    for (std::size_t other = 0; other < r && size > 1; ++other) {
      const Moments fitted = all_but(r, other);
      for (std::size_t controls = 0; controls < size; ++controls) {
        const Vector b = coefficients(fitted, controls);
        left[r][controls].add(residuals(moments_[other], b), 1);
        left[other][controls].add(residuals(moments_[r], b), 1);
      }
    }
  std::array<Vector, kReplicates> chosen{};
  for (std::size_t r = 0; r < kReplicates; ++r) {
    std::size_t best = 0;
    for (std::size_t controls = 1; controls < size; ++controls)
      if (left[r][controls].products[0] < left[r][best].products[0]) best = controls;
    if (best > 0) chosen[r] = coefficients(all_but(r, r), best);
  }
  return chosen;
}

ControlledMean::Moments ControlledMean::all() const {
  Moments sum;
  for (const Moments& moments : moments_) sum.add(moments, 1 + used_.size());
  return sum;
}

double ControlledMean::error_of_known(const std::array<Vector, kReplicates>& coefficients, double count) const {
  double error = 0;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    double weight = 0;
    for (std::size_t r = 0; r < kReplicates; ++r) weight += coefficients[r][i + 1] * moments_[r].count / count;
    error += std::abs(weight) * means_[used_[i]].error;
  }
  return error;
}

MeanEstimate ControlledMean::plain() const {
  const Moments all = this->all();
  if (all.count == 0) return {kNaN, kNaN, kNaN, kNaN};
  MeanEstimate estimate{all.mean[0], kNaN, all.count - 1, kNaN};
  estimate.plain_error = guarded_error(values_, range_);
  estimate.standard_error = estimate.plain_error;
  if (sampling_ == Sampling::kRandom) return estimate;
  ValueMoments parts;  // of the mean, by replicate, less what it would have of it
  ValueMoments means;
  for (const Moments& own : moments_)
    if (own.count > 0) {
      parts.add(own.count / all.count * (own.mean[0] - estimate.mean));
      means.add(own.mean[0]);
    }
  estimate.freedom = parts.count - 1;
  if (parts.count < 2) {
    estimate.standard_error = kNaN;
  } else if (!are_alike(means.least, means.greatest)) {  // if they are, they tell no error
    const double widen = widening(parts, std::min(kOfSobol, estimate.freedom), estimate.freedom);
    estimate.standard_error = widen * std::sqrt(parts.squares * parts.count / estimate.freedom);
  }
  return estimate;
}

MeanEstimate ControlledMean::estimate() const {
  MeanEstimate estimate = plain();
  const std::array<Vector, kReplicates> coefficients = coefficients_for_each();
  const auto used = [](const Vector& b) { return std::any_of(b.begin(), b.end(), [](double x) { return x != 0; }); };
  if (std::none_of(coefficients.begin(), coefficients.end(), used)) return estimate;
  put_jackknife(coefficients, estimate);
  return estimate;
}

/// Of independent instances, each replicate by the coefficients of the others.
double ControlledMean::error_of_residuals(const std::array<Vector, kReplicates>& coefficients) const {
  Moments left;
  for (std::size_t r = 0; r < kReplicates; ++r) left.add(residuals(moments_[r], coefficients[r]), 1);
  return std::sqrt(left.products[0] / (left.count - 1) / left.count);
}

/// From the means of all replicates but one, each by the coefficients of just these.
void ControlledMean::put_jackknife(const std::array<Vector, kReplicates>& coefficients, MeanEstimate& estimate) const {
  const std::size_t size = 1 + used_.size();
  Vector mean_coefficients{};
  for (const Vector& b : coefficients)
    for (std::size_t i = 1; i < size; ++i) mean_coefficients[i] += b[i] / kReplicates;
  const double whole = residuals(all(), mean_coefficients).mean[0];
  ValueMoments pseudo;
  for (std::size_t r = 0; r < kReplicates; ++r) {
    Moments others;
    for (std::size_t k = 0; k < kReplicates; ++k)
      if (k != r) others.add(moments_[k], size);
    pseudo.add(kReplicates * whole - (kReplicates - 1) * residuals(others, coefficients[r]).mean[0]);
  }
  double freedom = kReplicates - 1;
  for (std::size_t i = 1; i < size; ++i)
    if (mean_coefficients[i] != 0) freedom -= sampling_ == Sampling::kSobol ? kPerCoefficient : kPerCoefficient / 2;
  const double jackknife =
      widening(pseudo, freedom, estimate.freedom) * std::sqrt(pseudo.squares / kReplicates / freedom);
  estimate.mean = pseudo.mean;
  const bool tells = sampling_ == Sampling::kSobol && !are_alike(pseudo.least, pseudo.greatest);
  estimate.standard_error = tells ? jackknife : std::max(jackknife, error_of_residuals(coefficients));
  estimate.bound = error_of_known(coefficients, all().count);
}

std::vector<BoundedNumber> ratio_control_means(const Controls::Means& means, double expected_work) {
  return {means.positive, {expected_work, means.work_error}, means.reference, means.capacity, means.deviation};
}

std::array<double, 5> ratio_controls(const Controls::Means& means, double ratio, double reference, double capacity) {
  const double deviation = capacity - means.capacity.value;
  return {capacity > 0 ? 1.0 : 0.0, ratio * reference, reference, capacity, deviation * deviation};
}

}  // namespace coterie::sim
