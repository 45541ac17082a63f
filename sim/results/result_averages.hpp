#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/model_interface/model.hpp"
#include "sim/results/measured.hpp"
#include "sim/results/result_file.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// One axis of a result: its different values, numbers in ascending order and texts in the order of the file.
struct AxisColumn {
  const Axis* axis = nullptr;
  std::vector<std::string> texts;  ///< the values, numbers in shortest form
  std::vector<double> numbers;     ///< the same; empty for an axis of texts
  std::vector<std::size_t> code;   ///< by configuration, which of them it has
};
std::vector<AxisColumn> axis_columns(const ResultFile& result);

/// The strategy that `wanted` names ("": the campaign's baseline), or -1 where there is none. Throws InputError for a
/// name that the result has not.
std::ptrdiff_t baseline_of(const ResultFile& result, const std::string& wanted);

/// How the errors of configurations go together.
enum class Errors {
  kIndependent,
  kAnyhow  ///< as where configurations share their instances (common_random_numbers, or axes that draw nothing)
};

/// The mean over configurations, each with the same weight, of what was measured in each with an error of its own.
/// Standard errors of independent configurations add up in their squares, others, and bounds, as they are: the standard
/// deviation of a sum is at most the sum of the standard deviations.
class Average {
 public:
  explicit Average(Errors errors = Errors::kIndependent) : errors_(errors) {}

  /// `instances`: independent ones, or replicates.
  void add(double mean, double standard_error, std::uint64_t instances);
  void add(const MeanEstimate& estimate);
  void add(const Average& other);  ///< the same of its configurations
  std::size_t count() const { return count_; }
  double mean() const { return estimate().mean; }
  /// The standard error of which Student's t alone makes the interval.
  double standard_error() const { return estimate().whole_error(); }
  /// Of the 95 % interval of the mean; NaN where single instances tell no variance.
  double half_width() const;
  /// With degrees of freedom by Welch and Satterthwaite, since configurations differ in their variances [Welch 1947],
  /// or the fewest where their errors are not independent. NaN where nothing varies. No plain_error.
  MeanEstimate estimate() const;
  double squared_errors() const { return squared_errors_; }  ///< sum over configurations, of whole_error()

 private:
  Errors errors_;
  double sum_ = 0;
  double error_ = 0;                                         // of standard errors: their sum,
  double variance_ = 0;                                      // that of their squares,
  double variance_of_variance_ = 0;                          // and that of variance^2 / degrees of freedom
  double fewest_ = std::numeric_limits<double>::infinity();  // degrees of freedom
  double bound_ = 0;
  double squared_errors_ = 0;
  std::size_t count_ = 0;
};

/// Configurations that have the same values of some axes, put together.
struct ResultGroup {
  std::vector<std::size_t> key;                   ///< codes of these axes
  std::vector<Average> ratio;                     ///< by strategy
  std::vector<std::vector<Average>> differences;  ///< by baseline, then strategy: to the baseline, paired by instance
  std::vector<double> expected;     ///< mean exact expected metric, by strategy; NaN where one is not known
  double reference = 0;             ///< the reference's mean metric
  std::vector<double> ceilings;     ///< mean of each of ceilings_of(); NaN where one is not known
  std::vector<Average> controlled;  ///< `ratio` by regression on controls; none where means are not controlled
  std::vector<std::vector<Average>> controlled_differences;  ///< the same of `differences`
  /// By strategy, of its most precise mean: how many independent instances with plain means one that was run is worth.
  /// None where instances are independent and means plain.
  std::vector<double> efficiency_gain;
  std::vector<Measured> measured;  ///< by strategy; none where the model measures nothing beside the ratio
  /// By strategy, then kQuantileNames: the mean over the configurations of quantiles of their ratios. None where single
  /// ratios are kept.
  std::vector<std::vector<double>> quantiles = {};
  std::size_t configurations() const { return ratio.front().count(); }
  /// The most precise means, and their differences.
  const std::vector<Average>& means() const { return controlled.empty() ? ratio : controlled; }
  const std::vector<Average>& mean_differences(std::size_t baseline) const {
    return controlled.empty() ? differences[baseline] : controlled_differences[baseline];
  }
};

/// The datasets of kProbabilities.
inline constexpr std::array<const char*, kProbabilities.size()> kQuantileNames = {"q05", "q25", "q50", "q75", "q95"};

/// How far a quantile may be off in a result with statistics; NaN for others.
double quantile_error(const ResultFile& result);

/// How the errors of a result's configurations go together.
Errors errors_of(const ResultFile& result);

/// The ceilings of the result's model that it has; none of files of before.
std::vector<Ceiling> ceilings_of(const ResultFile& result);

/// The groups in the order of the values of the first axis of `by`, then of the second, and so on; without
/// configurations that were not run yet. `baselines`: strategies that the others are compared with.
std::vector<ResultGroup> result_groups(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                                       const std::vector<std::size_t>& configurations,
                                       const std::vector<std::size_t>& baselines);

}  // namespace coterie::sim
