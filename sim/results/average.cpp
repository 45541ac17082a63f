#include "sim/results/average.hpp"

#include <algorithm>
#include <cmath>

namespace coterie::sim {

void Average::add(const MeanEstimate& estimate) {
  const double square = estimate.standard_error * estimate.standard_error;
  sum_ += estimate.mean;
  error_ += estimate.standard_error;
  variance_ += square;
  variance_of_variance_ += square * square / estimate.freedom;
  fewest_ = std::min(fewest_, estimate.freedom);
  bound_ += estimate.bound;
  ++count_;
}

void Average::add(const Average& other) {
  sum_ += other.sum_;
  error_ += other.error_;
  variance_ += other.variance_;
  variance_of_variance_ += other.variance_of_variance_;
  fewest_ = std::min(fewest_, other.fewest_);
  bound_ += other.bound_;
  count_ += other.count_;
}

MeanEstimate Average::estimate() const {
  const auto count = static_cast<double>(count_);
  const bool independent = errors_ == Errors::kIndependent;
  MeanEstimate estimate;
  estimate.mean = sum_ / count;
  estimate.standard_error = (independent ? std::sqrt(variance_) : error_) / count;
  estimate.freedom = independent && variance_of_variance_ > 0 ? variance_ * variance_ / variance_of_variance_ : fewest_;
  estimate.bound = bound_ / count;
  return estimate;
}

}  // namespace coterie::sim
