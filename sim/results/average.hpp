#pragma once

#include <cstddef>

#include "core/infinity.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// How the errors of configurations combine.
enum class Errors {
  kIndependent,
  kAnyhow  ///< as when configurations share instances (common_random_numbers, or axes that draw nothing)
};

/// The mean over configurations, with equal weights, of values that each have an error. For independent configurations
/// the squares of standard errors add up; other standard errors, and bounds, add up directly: the standard deviation of
/// a sum is at most the sum of the standard deviations.
class Average {
 public:
  explicit Average(Errors errors = Errors::kIndependent) : errors_(errors) {}

  void add(const MeanEstimate& estimate);
  void add(const Average& other);  ///< adds all configurations of the other
  std::size_t count() const { return count_; }
  double mean() const { return estimate().mean; }
  double standard_error() const { return estimate().standard_error; }
  double half_width() const { return estimate().half_width(); }
  /// With degrees of freedom by Welch and Satterthwaite, since configurations differ in their variances [Welch 1947],
  /// or the smallest if their errors are not independent or nothing varies.
  MeanEstimate estimate() const;

 private:
  Errors errors_;
  double sum_ = 0;
  double error_ = 0;                 // of standard errors: their sum,
  double variance_ = 0;              // that of their squares,
  double variance_of_variance_ = 0;  // and that of variance^2 / degrees of freedom
  double fewest_ = kInfinity;        // degrees of freedom
  double bound_ = 0;
  std::size_t count_ = 0;
};

}  // namespace coterie::sim
