#pragma once

#include <cstddef>
#include <string>

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
/// a sum is at most the sum of the standard deviations. Student's t has the fewest degrees of freedom of all.
class Average {
 public:
  explicit Average(Errors errors = Errors::kIndependent) : errors_(errors) {}

  void add(const MeanEstimate& estimate);
  void add(const Average& other);  ///< adds all configurations of the other
  std::size_t count() const { return count_; }
  double mean() const { return estimate().mean; }
  double standard_error() const { return estimate().standard_error; }
  double half_width() const { return estimate().half_width(); }
  /// Why there is no error of chance: "exact", or "100 equal values"; empty if there is one.
  std::string note() const;
  MeanEstimate estimate() const;

 private:
  Errors errors_;
  double sum_ = 0;
  double error_ = 0;           // of standard errors: their sum,
  double variance_ = 0;        // and that of their squares
  double fewest_ = kInfinity;  // degrees of freedom
  double bound_ = 0;
  std::size_t count_ = 0;
};

}  // namespace coterie::sim
