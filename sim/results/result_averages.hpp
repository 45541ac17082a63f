#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/model_interface/model.hpp"
#include "sim/results/average.hpp"
#include "sim/results/axis_columns.hpp"
#include "sim/results/measured.hpp"
#include "sim/results/result_file.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// The strategy that `wanted` names ("": the campaign's baseline), or -1 if there is none. Throws InputError for a
/// name that the result does not have.
std::ptrdiff_t baseline_of(const ResultFile& result, const std::string& wanted);

/// Configurations with the same values of some axes, taken together.
struct ResultGroup {
  std::vector<std::size_t> key;                   ///< codes of these axes
  std::vector<Average> ratio;                     ///< by strategy, exact where that is known
  std::vector<std::vector<Average>> differences;  ///< by baseline, then strategy: to the baseline, paired by instance
  std::vector<double> expected;                   ///< mean exact expected metric, by strategy; NaN if one is not known
  double reference = 0;                           ///< the reference's mean metric
  std::vector<double> ceilings;                   ///< mean of each of ceilings_of(); NaN if one is not known
  std::vector<Measured> measured;                 ///< by strategy; empty if the model measures only the ratio
  /// By strategy, then kQuantileNames: the mean over the configurations of quantiles of their ratios. Empty if single
  /// ratios are kept.
  std::vector<std::vector<double>> quantiles = {};
  std::size_t configurations() const { return ratio.front().count(); }
};

/// The mean ratios by configuration and strategy: exact where these are known, otherwise those of the instances; NaN if
/// none was run.
std::vector<MeanEstimate> mean_estimates(const ResultFile& result);

/// The datasets of kProbabilities.
inline constexpr std::array<const char*, kProbabilities.size()> kQuantileNames = {"q05", "q25", "q50", "q75", "q95"};

/// The greatest error of a quantile in a result with statistics; NaN for others.
double quantile_error(const ResultFile& result);

/// How the errors of a result's configurations combine.
Errors errors_of(const ResultFile& result);

/// The ceilings that the result has.
std::vector<Ceiling> ceilings_of(const ResultFile& result);

/// The groups in the order of the values of the first axis of `by`, then of the second, and so on; without
/// configurations that have not been run yet. `baselines`: strategies that the others are compared with.
std::vector<ResultGroup> result_groups(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                                       const std::vector<std::size_t>& configurations,
                                       const std::vector<std::size_t>& baselines);

}  // namespace coterie::sim
