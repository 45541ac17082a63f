#include "sim/results/average.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coterie::sim {

void Average::add(const MeanEstimate& estimate) {
  sum_ += estimate.mean;
  error_ += estimate.standard_error;
  variance_ += estimate.standard_error * estimate.standard_error;
  fewest_ = std::min(fewest_, estimate.freedom);
  bound_ += estimate.bound;
  ++count_;
}

void Average::add(const Average& other) {
  sum_ += other.sum_;
  error_ += other.error_;
  variance_ += other.variance_;
  fewest_ = std::min(fewest_, other.fewest_);
  bound_ += other.bound_;
  count_ += other.count_;
}

MeanEstimate Average::estimate() const {
  const auto count = static_cast<double>(count_);
  const double error = errors_ == Errors::kIndependent ? std::sqrt(variance_) : error_;
  return {sum_ / count, error / count, fewest_, bound_ / count};
}

std::string Average::note() const {
  const MeanEstimate estimate = this->estimate();
  if (estimate.standard_error != 0) return "";
  if (estimate.is_exact()) return "exact";
  return fmt::format("{} equal values{}", estimate.freedom + 1, count_ > 1 ? " each" : "");
}

}  // namespace coterie::sim
